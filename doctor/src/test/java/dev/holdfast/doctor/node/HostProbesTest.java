package dev.holdfast.doctor.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.os.file.Reading;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HostProbesTest {
  @Test
  void onlyVariablesThatMatterAreToldAndSecretsAreBlanked() {
    String text =
        EnvironmentProbe.text(
            Map.of(
                "NCCL_DEBUG", "INFO",
                "AWS_SECRET_ACCESS_KEY", "hush",
                "SLURM_JWT_TOKEN", "hush",
                "RANK", "3",
                "OMP_NUM_THREADS", "1\n2"));
    assertThat(text)
        .isEqualTo("NCCL_DEBUG=INFO\nOMP_NUM_THREADS=1\\n2\nRANK=3\nSLURM_JWT_TOKEN=(blanked)\n");
  }

  @Test
  void capabilitiesAreNamed() {
    assertThat(IdentityProbe.capabilities("0000000400000001"))
        .containsExactly("CAP_CHOWN", "CAP_SYSLOG");
    assertThat(IdentityProbe.capabilities("zz")).containsExactly("unknown");
  }

  @Test
  void ofSeveralMountsOfOneFileSystemTheShortestIsAsked() {
    List<Mount> mounts =
        Mount.parse(
            """
            21 1 259:2 / / rw,relatime shared:1 - ext4 /dev/nvme0n1p2 rw,errors=remount-ro
            22 21 259:2 /var/x /etc/hosts rw - ext4 /dev/nvme0n1p2 rw
            23 21 0:5 / /proc rw - proc proc rw
            24 21 0:60 / /home\\040two rw - nfs4 store:/home rw,hard
            garbage
            25 21 0:61 / /cut rw -
            """);
    assertThat(mounts).hasSize(4);
    assertThat(FileSystemsProbe.distinct(mounts))
        .extracting(Mount::point)
        .containsExactly("/", "/home two");
    assertThat(mounts.getFirst().superOptions()).contains("errors=remount-ro");
  }

  @Test
  void theFileSystemsOfThisMachineAnswer() {
    Reading reading = FileSystemsProbe.read(Duration.ofSeconds(5));
    assertThat(reading.text().orElseThrow().lines())
        .allMatch(line -> line.split("\t", -1).length == 8);
  }

  @Test
  void thisProcessIsIdentified() {
    assertThat(IdentityProbe.read(Map.of("PYXIS_VERSION", "0.24")).text().orElseThrow())
        .contains("user=")
        .contains("container=yes");
  }
}
