package dev.holdfast.store.manage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import dev.holdfast.store.ranks.Absence;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StatusTextTest {
  private static String absent(int world, int waiting, List<Integer> ranks, List<Integer> here) {
    Absence absence = new Absence("/b", world, waiting, world - waiting, ranks, here, 42.4);
    return StatusText.absent(Fields.of("absent", Json.read(Json.line(absence.json()))));
  }

  @Test
  void whoIsAbsentIsOneLine() {
    assertThat(absent(64, 63, List.of(17), List.of(17)))
        .isEqualTo("absent    rank 17 is the only one not in /b, 42.4 s");
    assertThat(absent(64, 62, List.of(17, 20), List.of(17)))
        .isEqualTo("absent    ranks 17, 20 (not connected) are not in /b, 42.4 s");
    assertThat(absent(64, 50, IntStream.range(0, 14).boxed().toList(), List.of()))
        .isEqualTo("absent    14 of 64 ranks are not in /b, 42.4 s");
    assertThat(absent(64, 63, List.of(), List.of()))
        .isEqualTo("absent    63 of 64 ranks wait for /b, 42.4 s; who does not cannot be told");
  }

  @Test
  void ranksAreNamedWhereTheyAreKnown() {
    String text =
        StatusText.of(
            Json.object(
                """
                {"job":"slurm-1","attempt":2,"world":3,"port":29502,"keys":5,"bytes":100,"joined":3,
                 "connections":[
                 {"rank":10,"node":"n2","address":"a","port":1,"requests":5,"waitsFor":["/k"],"waitsSeconds":3},
                 {"rank":9,"address":"a","port":2,"requests":5,"waitsFor":["/k"],"waitsSeconds":4.5},
                 {"address":"a","port":4,"process":77,"requests":5,"idleSeconds":2}]}"""));
    assertThat(text)
        .isEqualTo(
            """
            slurm-1 attempt 2  port 29502  3 connections, 5 keys (100 B), 3 of 3 joined
            waiting   2 for /k, the longest 4.5 s: rank 9, rank 10 on n2
            not       1, the longest silent 2 s: a pid 77
            """);
  }
}
