package dev.holdfast.core.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Loading a table already rejects empty cells and unknown words; this pins what it must hold. */
class CatalogueTest {
  private static final Map<String, NextStep> VENDOR =
      Map.ofEntries(
          Map.entry("IGNORE", NextStep.NONE),
          Map.entry("RESTART_APP", NextStep.RESTART_JOB),
          Map.entry("RESET_GPU", NextStep.RESET_GPU),
          Map.entry("RESTART_VM", NextStep.REBOOT_NODE),
          Map.entry("RESTART_BM", NextStep.REBOOT_NODE),
          Map.entry("CHECK_MECHANICALS", NextStep.CHECK_HARDWARE),
          Map.entry("UPDATE_SWFW", NextStep.UPDATE_SOFTWARE),
          Map.entry("CONTACT_SUPPORT", NextStep.CONTACT_VENDOR),
          Map.entry("CHECK_UVM", NextStep.RESET_GPU),
          Map.entry("XID_154", NextStep.FOLLOW),
          Map.entry("XID_154_EVAL", NextStep.RESTART_JOB),
          Map.entry("WORKFLOW_XID_45", NextStep.FOLLOW),
          Map.entry("WORKFLOW_XID_48", NextStep.RESET_GPU),
          Map.entry("WORKFLOW_NVLINK_ERR", NextStep.RESET_GPU),
          Map.entry("WORKFLOW_NVLINK5_ERR", NextStep.FOLLOW));

  @Test
  void everyXidUpTo173HasOneRowInOrder() {
    assertThat(XidCatalogue.entries().stream().map(XidEntry::code))
        .containsExactlyElementsOf(IntStream.rangeClosed(1, 173).boxed().toList());
    assertThat(XidCatalogue.find(79).orElseThrow().now()).isEqualTo(NextStep.REBOOT_NODE);
    assertThat(XidCatalogue.find(174)).isEmpty();
  }

  @Test
  void everyDeviationFromTheVendorSaysWhy() {
    for (XidEntry entry : XidCatalogue.entries()) {
      boolean agrees = entry.now().equals(VENDOR.get(entry.vendorNow()));
      assertThat(entry.why().isEmpty()).as("why of Xid %d", entry.code()).isEqualTo(agrees);
    }
  }

  @Test
  void nothingTheVendorWantsResetOrRebootedIsTakenLightly() {
    assertThat(XidCatalogue.entries())
        .filteredOn(entry -> entry.vendorNow().matches("RESET_GPU|RESTART_BM|RESTART_VM"))
        .allMatch(entry -> entry.severity().atLeast(Severity.DEGRADED));
  }

  @Test
  void sxidTableHoldsTheGuideAndIsOrdered() {
    List<Integer> codes = SxidCatalogue.entries().stream().map(SxidEntry::code).toList();
    assertThat(codes).hasSize(93).isSorted().doesNotHaveDuplicates();
    assertThat(SxidCatalogue.entries())
        .allMatch(entry -> List.of("none", "link", "port", "fabric").contains(entry.scope()))
        .filteredOn(entry -> entry.scope().equals("fabric"))
        .allMatch(entry -> entry.severity() == Severity.FATAL)
        .hasSize(21);
  }

  @Test
  void nvlink5RowsFollowTheVendorsAction() {
    assertThat(Nvlink5Catalogue.entries())
        .hasSize(98)
        .allMatch(entry -> entry.now().equals(VENDOR.get(entry.vendorNow())))
        .allMatch(entry -> entry.xid() >= 144 && entry.xid() <= 150)
        .filteredOn(entry -> entry.now() == NextStep.RESET_GPU)
        .allMatch(entry -> entry.severity() == Severity.FATAL);
  }

  @Test
  void aRowIsRecordedThatSomebodyPostedAndTheVendorHasAWordFor() {
    assertThat(XidCatalogue.find(79).orElseThrow().proof()).isEqualTo(Proof.RECORDED);
    assertThat(XidCatalogue.find(95).orElseThrow().posted()).isEmpty();
    assertThat(XidCatalogue.find(95).orElseThrow().proof()).isEqualTo(Proof.DOCUMENTED);
    XidEntry ours = XidCatalogue.find(43).orElseThrow();
    assertThat(ours.posted()).isNotEmpty();
    assertThat(ours.proof()).as("we do otherwise than the vendor says").isEqualTo(Proof.DOCUMENTED);
  }

  @Test
  void postedAddressesAreAddresses() {
    assertThat(posted())
        .hasSizeGreaterThan(30)
        .allMatch(it -> it.matches("[\\w.-]+/[\\w.-]+(/(issues|pull)/\\d+| [\\w./-]+)"));
  }

  private static List<String> posted() {
    return Stream.of(
            XidCatalogue.entries().stream().map(XidEntry::posted),
            SxidCatalogue.entries().stream().map(SxidEntry::posted),
            Nvlink5Catalogue.entries().stream().map(Nvlink5Entry::posted),
            Xid74Entry.entries().stream().map(Xid74Entry::posted),
            KernelRule.entries().stream().map(KernelRule::posted))
        .flatMap(it -> it)
        .filter(it -> !it.isEmpty())
        .toList();
  }

  @Test
  void aKernelLineIsPostedOnlyBesideASourceOfItsMaker() {
    assertThat(KernelRule.entries())
        .filteredOn(rule -> !rule.posted().isEmpty())
        .isNotEmpty()
        .allMatch(rule -> rule.source().matches("(Linux |AMD |NVIDIA Xid catalogue).*"));
  }

  @Test
  void kernelRulesHaveDistinctIds() {
    assertThat(KernelRule.entries().stream().map(KernelRule::id))
        .doesNotHaveDuplicates()
        .hasSizeGreaterThan(60)
        .allMatch(id -> id.matches("[a-z0-9]+([.-][a-z0-9]+)+"));
  }
}
