# complete.bash COMPLETION WORD...: what bash offers for the last word, one line each, as readline would ask.
source "$1"
shift
compopt() { :; }
COMP_WORDS=(tile2cu "$@")
COMP_CWORD=$#
_tile2cu
printf '%s\n' "${COMPREPLY[@]}"
