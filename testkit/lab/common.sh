# Read by the other scripts of the lab: where things are, and how to say what is wrong.

lab_home=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
lab_dir=${RPCRDMA_LAB_DIR:-${TMPDIR:-/tmp}/rpcrdma-lab}
image=$lab_dir/image

fail() {
  printf 'lab: %s\n' "$*" >&2
  exit 1
}

# The tools that a machine lacks, one line for each, with the package that has it.
missing_tools() {
  local pair
  for pair in "$@"; do
    command -v "${pair%%=*}" >/dev/null || echo "${pair%%=*} (apt-get install ${pair##*=})"
  done
}

require_tools() {
  local missing
  missing=$(missing_tools "$@" | paste -sd, - | sed 's/,/, /g')
  [ -z "$missing" ] || fail "missing: $missing"
}

# What an image was built from; another sum means that it must be built anew.
image_sum() {
  cat "$lab_home/build-image" "$lab_home/guest/init" | sha256sum | cut -d' ' -f1
}

image_is_current() {
  [ "$(cat "$image/sum" 2>/dev/null)" = "$(image_sum)" ]
}
