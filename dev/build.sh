# shellcheck shell=sh disable=SC2154 # the variables named below are set by ./holdfast
# The slow part of ./holdfast, which reads this file when it has to build: find a JDK, build under a
# lock, put the result in place in one step. Uses root, home, changed, read_java_version; sets java_home.
#
#   cli/target/holdfast -> builds/ID    the build that starts; the link is turned when all is ready
#     lib/  jdk  stamp                  jars and cache; the JDK they belong to; written last
#   .holdfast/lock  .holdfast/build.log

oldest_java=25
lock_seconds=900
build_seconds=1800
state=$root/.holdfast
log=$state/build.log
builds=$root/cli/target/builds

say() {
    printf 'holdfast: %s\n' "$*" >&2
}

fail() {
    say "$@"
    exit 3
}

# Sets java_home to the first JDK that is new enough; tried tells what was looked at.
find_jdk() {
    tried=
    if [ -n "${JAVA_HOME:-}" ]; then
        try_jdk "$JAVA_HOME" "JAVA_HOME" && return 0
    else
        tried="  JAVA_HOME: not set"
    fi
    if on_path=$(command -v java); then
        on_path=$(readlink -f -- "$on_path" || echo "$on_path")
        try_jdk "${on_path%/bin/java}" "java on the PATH" && return 0
    else
        tell_tried "java on the PATH: none"
    fi
    for folder in /usr/lib/jvm /usr/java /opt "${HOME:-/nonexistent}/.sdkman/candidates/java" \
        "${HOME:-/nonexistent}/.jdks"; do
        for candidate in "$folder"/*; do
            if [ -x "$candidate/bin/javac" ]; then try_jdk "$candidate" "found" && return 0; fi
        done
        tell_tried "$folder: no other"
    done
    return 1
}

# Succeeds, with java_home set, when folder $1 holds a JDK new enough; $2 says how we came to it.
try_jdk() {
    read_java_version "$1"
    major=${java_version%%[!0-9]*}
    if [ -z "$major" ]; then
        tell_tried "$2: $1 is no JDK"
    elif [ ! -x "$1/bin/javac" ]; then
        tell_tried "$2: $1 is Java $java_version without a compiler"
    elif [ "$major" -lt "$oldest_java" ]; then
        tell_tried "$2: $1 is Java $java_version"
    else
        java_home=$1
        return 0
    fi
    return 1
}

tell_tried() {
    tried="${tried:+$tried
}  $1"
}

no_jdk() {
    say "needs a JDK $oldest_java or newer and found none. Looked at:"
    printf '%s\n' "$tried" >&2
    say "install one (apt-get install openjdk-25-jdk, or Temurin 25) or set JAVA_HOME to it"
    exit 3
}

# Called when a build is due and cannot be made for reason $*: an older build is better than none.
do_without_build() {
    [ -f "$home/stamp" ] || fail "cannot build: $*"
    if [ -n "$(changed)" ]; then say "sources changed, but $*: starting the older build"; fi
    same_jdk || find_jdk || no_jdk
}

build() {
    if ! { mkdir -p "$state" "$builds" && true >>"$state/lock" && [ -w "$builds" ]; } 2>/dev/null; then
        do_without_build "$root cannot be written"
        return 0
    fi
    if [ -n "$(changed)" ] && ! command -v mvn >/dev/null; then
        do_without_build "mvn is not on the PATH (apt-get install maven)"
        return 0
    fi
    find_jdk || no_jdk # before anybody waits
    exec 9>"$state/lock"
    take_lock
    if [ -n "$(changed)" ] || ! same_jdk; then build_locked; fi
    exec 9>&-
}

take_lock() {
    if command -v flock >/dev/null && ! flock -n 9; then
        say "another call is building here; waiting up to $((lock_seconds / 60)) minutes"
        flock -w "$lock_seconds" 9 ||
            fail "still building after $((lock_seconds / 60)) minutes: see $log"
    fi
}

# Everything is made beside the build in use. Whoever kills us leaves rubbish, never half a build.
build_locked() {
    find_jdk || no_jdk
    started=$(date +%s)
    touch "$state/started"
    rm -rf "$builds"/*.new
    id=$started-$$
    why=$(changed)
    case $why in
        "never built") announce "building (first use, about a minute)…" ;;
        "") announce "Java changed, preparing again…" ;;
        *) announce "building (${why#"$root"/} changed)…" ;;
    esac
    if [ -n "$why" ]; then
        jars=$root/cli/target/jars
        rm -rf "$jars"
        run_maven >"$log" 2>&1 || show_errors
    else
        jars=$home/lib
        : >"$log"
    fi
    "$root/dev/assemble" "$java_home" "$java_home" "$jars" "$builds/$id.new" >>"$log" 2>&1 || show_errors
    read_java_version "$java_home"
    printf '%s\n%s\n' "$java_home" "$java_version" >"$builds/$id.new/jdk"
    : >"$builds/$id.new/stamp"
    touch -r "$state/started" "$builds/$id.new/stamp"
    mv "$builds/$id.new" "$builds/$id"
    ln -s "builds/$id" "$home.$$"
    mv -T "$home.$$" "$home"
    prune
    announced "built in $(($(date +%s) - started)) s$(grep -s '^no start-up cache' "$log" | sed 's/^/; /')"
}

run_maven() (
    cd "$root" || return
    JAVA_HOME=$java_home MAVEN_OPTS="${MAVEN_OPTS:-} -XX:TieredStopAtLevel=1 -XX:+UseSerialGC" \
        timeout --foreground "$build_seconds" mvn -B -q -Pfast package </dev/null
)

show_errors() {
    announced "the build failed:"
    if grep -q '^\[ERROR\]' "$log"; then
        grep '^\[ERROR\]' "$log" | head -n 20 >&2
    else
        tail -n 20 "$log" >&2
    fi
    fail "the whole log is $log"
}

# Keeps the builds in use: the current one, its predecessor and those some process was started from.
prune() {
    kept=0
    for old in $(cd "$builds" && ls -1r); do
        kept=$((kept + 1))
        if [ "$kept" -gt 2 ] && ! grep -qs -- "/builds/$old/" /proc/[0-9]*/cmdline; then
            rm -rf "${builds:?}/$old"
        fi
    done
}

# A line that its sequel replaces where a person looks, and follows where a log is written.
announce() {
    if [ -t 2 ]; then printf 'holdfast: %s' "$1" >&2; else say "$1"; fi
}

announced() {
    if [ -t 2 ]; then printf '\r\033[K' >&2; fi
    say "$1"
}
