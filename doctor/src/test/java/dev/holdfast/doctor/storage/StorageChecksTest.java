package dev.holdfast.doctor.storage;

import static dev.holdfast.doctor.testing.Answers.finding;
import static dev.holdfast.doctor.testing.Answers.pass;
import static dev.holdfast.doctor.testing.Answers.skip;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.health.Severity;
import dev.holdfast.doctor.site.Site;
import dev.holdfast.doctor.testing.TestNode;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StorageChecksTest {
  private static TestNode disk(long size, long free, long files, long freeFiles) {
    return new TestNode()
        .probe(
            "filesystems",
            "/data\t/dev/md0\text4\tok\t"
                + size
                + "\t"
                + free
                + "\t"
                + files
                + "\t"
                + freeFiles
                + "\n");
  }

  private static TestNode mounted(String type, String options, String superOptions) {
    return new TestNode()
        .file(
            "/proc/self/mountinfo",
            "22 1 9:0 / /data " + options + " - " + type + " /dev/md0 " + superOptions + "\n");
  }

  @Test
  void roomIsToldInTwoSteps() {
    pass(disk(1000, 300, 100, 90).examine(new Space()));
    finding(disk(1000, 80, 100, 90).examine(new Space()), Severity.WARNING, "8.0 %");
    finding(disk(1000, 20, 100, 90).examine(new Space()), Severity.DEGRADED, "2.0 %");
    finding(disk(1000, 300, 1000, 20).examine(new Space()), Severity.DEGRADED, "20 more files");
  }

  @Test
  void whatCannotFillUpIsLeftAlone() {
    skip(disk(0, 0, 0, 0).examine(new Space()), "nothing of this kind");
    TestNode image =
        mounted("ext4", "ro,relatime", "ro")
            .probe("filesystems", "/data\t/dev/loop0\text4\tok\t1000\t0\t10\t0\n");
    skip(image.examine(new Space()), "nothing of this kind");
    TestNode snap =
        new TestNode().probe("filesystems", "/snap/x\tx\tfuse.snapfuse\tok\t1000\t0\t1\t0\n");
    skip(snap.examine(new Space()), "nothing of this kind");
  }

  @Test
  void aSharedFileSystemThatFillsUpDoesNotFailTheNode() {
    TestNode node = new TestNode().probe("filesystems", "/home\ts:/h\tnfs4\tok\t1000\t10\t0\t0\n");
    finding(node.examine(new Space()), Severity.WARNING, "/home");
  }

  @Test
  void readOnlyOnPurposeIsToldApartFromReadOnlyByTheKernel() {
    finding(
        mounted("ext4", "rw,relatime", "ro,errors=remount-ro").examine(new ReadOnly()),
        Severity.FATAL,
        "/data was made read-only");
    finding(
        mounted("ext4", "rw,relatime", "rw,emergency_ro").examine(new ReadOnly()),
        Severity.FATAL,
        "/data");
    pass(mounted("ext4", "ro,relatime", "ro").examine(new ReadOnly()));
    pass(mounted("ext4", "ro,relatime", "rw").examine(new ReadOnly()));
    skip(mounted("squashfs", "ro", "ro").examine(new ReadOnly()), "nothing of this kind");
    skip(new TestNode().examine(new ReadOnly()), "mountinfo");
  }

  @Test
  void aHungMountIsToldAndADeniedOneIsNot() {
    TestNode node = mounted("nfs4", "rw", "rw,hard");
    finding(
        node.probe("filesystems", "/home\ts:/h\tnfs4\thung\t0\t0\t0\t0\n").examine(new Mounts()),
        Severity.DEGRADED,
        "/home does not answer");
    finding(
        node.probe("filesystems", "/home\ts:/h\tnfs4\terror: /home: ESTALE, x\t0\t0\t0\t0\n")
            .examine(new Mounts()),
        Severity.DEGRADED,
        "lost its server");
    skip(
        node.probe("filesystems", "/home\ts:/h\tnfs4\terror: /home: EACCES, x\t0\t0\t0\t0\n")
            .examine(new Mounts()),
        "nothing of this kind");
  }

  @Test
  void whatFstabWantsAtBootMustBeMountedOutsideContainers() {
    TestNode node =
        mounted("ext4", "rw", "rw")
            .probe("filesystems", "/data\t/dev/md0\text4\tok\t10\t10\t0\t0\n")
            .file(
                "/etc/fstab",
                "# c\n/dev/md0 /data ext4 defaults 0 1\ns:/h /home/ nfs _netdev 0 0\n"
                    + "x /later nfs noauto 0 0\nUUID=1 none swap sw 0 0\n");
    finding(node.examine(new Mounts()), Severity.DEGRADED, "/home is not mounted");
    pass(node.probe("identity", "container=yes\n").examine(new Mounts()));
    assertThat(Mounts.table("short\n/dev/x /y\n")).isEmpty();
  }

  @Test
  void aDriveThatIsNotLiveIsTold() {
    TestNode node = new TestNode().file("/sys/class/nvme/nvme0/state", "live\n");
    pass(node.examine(new NvmeHealth()));
    finding(
        node.file("/sys/class/nvme/nvme1/state", "dead\n").examine(new NvmeHealth()),
        Severity.FATAL,
        "nvme1 is dead");
    finding(
        new TestNode()
            .file("/sys/class/nvme/nvme0/state", "live\n")
            .file("/sys/class/nvme/nvme0/hwmon2/temp1_alarm", "1\n")
            .file("/sys/class/nvme/nvme0/hwmon2/temp1_input", "88850\n")
            .examine(new NvmeHealth()),
        Severity.DEGRADED,
        "88 °C");
    skip(new TestNode().examine(new NvmeHealth()), "nothing of this kind");
  }

  @Test
  void errorsOfDisksAreToldAndDrivesWithoutAMediumAreNot() {
    TestNode node = new TestNode();
    pass(
        node.probe("kernel-log", "<3>[ 9.000000] I/O error, dev fd0, sector 0 op 0x0:(READ)\n")
            .examine(new DiskErrors()));
    finding(
        node.probe("kernel-log", "<3>[ 9.000000] I/O error, dev sda, sector 0 op 0x0:(READ)\n")
            .examine(new DiskErrors()),
        Severity.DEGRADED,
        "Disk I/O error");
    skip(
        new TestNode().denied("probe/kernel-log", "needs CAP_SYSLOG").examine(new DiskErrors()),
        "CAP_SYSLOG");
    finding(
        new TestNode()
            .file("/sys/fs/ext4/sda1/errors_count", "3\n")
            .file("/sys/fs/ext4/sda1/last_error_time", "1767265913\n")
            .examine(new DiskErrors()),
        Severity.WARNING,
        "3 errors, the last on 2026-01-01T11:11:53");
  }

  @Test
  void anArrayWithoutAMemberIsTold() {
    String head = "md0 : active raid1 sdb1[1] sda1[0]\n      1 blocks super 1.2 [2/%s] [%s]\n";
    pass(new TestNode().file("/proc/mdstat", head.formatted("2", "UU")).examine(new Raid()));
    finding(
        new TestNode().file("/proc/mdstat", head.formatted("1", "U_")).examine(new Raid()),
        Severity.DEGRADED,
        "1 of 2 members");
    finding(
        new TestNode()
            .file("/proc/mdstat", "md0 : active raid0 sdb1[1](F) sda1[0]\n")
            .examine(new Raid()),
        Severity.DEGRADED,
        "failed member");
    finding(
        new TestNode().file("/proc/mdstat", "md7 : inactive sdb1[1](S)\n").examine(new Raid()),
        Severity.DEGRADED,
        "not running");
  }

  @Test
  void aServerThatCameBackIsAWarning() {
    TestNode node =
        new TestNode()
            .probe("kernel-log", "<5>[ 9.000000] nfs: server fs1 not responding, still trying\n");
    finding(
        node.probe("filesystems", "/h\tfs1:/h\tnfs\tok\t1\t1\t0\t0\n").examine(new RemoteStorage()),
        Severity.WARNING,
        "NFS");
    finding(
        node.probe("filesystems", "/h\tfs1:/h\tnfs\thung\t0\t0\t0\t0\n")
            .examine(new RemoteStorage()),
        Severity.DEGRADED,
        "NFS");
  }

  @Test
  void aSlowServerOfAnExpectedMountDoesNotDrainEveryNodeAtOnce() {
    Site site = new Site(Map.of("mount./home", "nfs4"), List.of(), LocalDate.of(2026, 1, 1));
    TestNode node = mounted("nfs4", "rw", "rw,hard").site(site);
    String remedy =
        finding(
                node.probe("filesystems", "/home\ts:/h\tnfs4\thung\t0\t0\t0\t0\n")
                    .examine(new Mounts()),
                Severity.DEGRADED,
                "does not answer")
            .remedy();
    assertThat(remedy).contains("drain the node, then umount");
    finding(
        node.probe("filesystems", "/home\ts:/h\tnfs4\terror: /home: ESTALE, x\t0\t0\t0\t0\n")
            .examine(new Mounts()),
        Severity.FATAL,
        "lost its server");
  }

  @Test
  void aSpaceInAMountPointIsWrittenAsFstabWritesIt() {
    assertThat(Mounts.table("s:/a /mnt/my\\040data nfs defaults 0 0\n"))
        .containsExactly("/mnt/my data");
  }
}
