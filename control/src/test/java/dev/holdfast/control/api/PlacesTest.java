package dev.holdfast.control.api;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Who finds a place. */
class PlacesTest {
  private final Places places = new Places(3, 2, "listen already");

  @Test
  void oneTakesOnlySoManyAndOthersFindAPlace() {
    assertThat(places.enter("token a")).isEmpty();
    assertThat(places.enter("token a")).isEmpty();
    assertThat(places.enter("token a")).contains("2 of token a listen already");
    assertThat(places.enter("token b")).isEmpty();
    assertThat(places.enter("token c")).contains("3 listen already");
  }

  @Test
  void whoLeavesMakesRoom() {
    places.enter("token a");
    places.enter("token a");
    places.leave("token a");
    assertThat(places.enter("token a")).isEmpty();
    places.leave("token a");
    places.leave("token a");
    assertThat(places.enter("token b")).isEmpty();
    assertThat(places.enter("token b")).isEmpty();
    assertThat(places.enter("token c")).isEmpty();
  }
}
