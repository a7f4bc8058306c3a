// Syntax colours. Each function takes a text and returns its lines as HTML.

const kKeywords = new Set(
    ("alignas auto bool break case char class const constexpr const_cast continue default do double " +
     "else enum extern false float for if inline int int8_t int16_t int32_t int64_t long namespace " +
     "nullptr operator reinterpret_cast return short signed sizeof static static_assert static_cast " +
     "struct switch template true typename union unsigned using void volatile while")
        .split(" "));
const kTypeWords =
    /^(bool|char|double|float|int|long|short|signed|unsigned|void|u?int\d*_t|size_t|__half2?|__nv_\w+)$/;
const kCudaWords =
    /^(__\w+__|__\w+|threadIdx|blockIdx|blockDim|gridDim|dim3|cudaError_t|cuda\w+|tile2cu|tl)$/;

function escapeHtml(text) {
  return text.replace(/[&<>"]/g, c => ({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})[c]);
}

// The text as HTML; a token of several lines is one element on each of them.
function coloured(text, kind) {
  if (!kind) return escapeHtml(text);
  return text.split("\n")
      .map(part => part && `<span class="${kind}">${escapeHtml(part)}</span>`)
      .join("\n");
}

function kindOfWord(word) {
  if (kTypeWords.test(word)) return "type";
  if (kKeywords.has(word)) return "keyword";
  if (kCudaWords.test(word)) return "cuda";
  return "name";
}

// C++ and CUDA.
function highlightCpp(text) {
  const token = new RegExp(
      [
        /(?<comment>\/\/[^\n]*|\/\*[^]*?\*\/)/,
        /(?<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+')/, /(?<directive>^[ \t]*#[ \t]*\w+)/,
        /(?<numeral>\b\d(?:[\w.']|(?<=[eE])[-+])*)/, /(?<word>[A-Za-z_]\w*)/
      ].map(each => each.source)
          .join("|"),
      "gm");
  let html = "", at = 0;
  for (const match of text.matchAll(token)) {
    html += escapeHtml(text.slice(at, match.index));
    at = match.index + match[0].length;
    const kind = Object.keys(match.groups).find(name => match.groups[name] !== undefined);
    html += coloured(match[0], kind === "word" ? kindOfWord(match[0]) : kind);
  }
  return (html + escapeHtml(text.slice(at))).split("\n");
}

// One line of the Tile IR.
function highlightIr(line) {
  const token = new RegExp(
      [
        /(?<comment>\/\/.*)/, /(?<layout>#<[^>]*>)/, /(?<value>%(?:"[^"]*"|[\w.$]+))/,
        /(?<cuda>@[\w#.]+)/, /(?<type>\b(?:tile|ptr|[iuf]\d+\w*|bf16|bool)\b)/,
        /(?<mnemonic>(?<=^\s*|= )[a-z_]+\b)/, /(?<numeral>\b\d+(?:\.\d+)?\b)/
      ].map(each => each.source)
          .join("|"),
      "g");
  let html = "", at = 0;
  for (const match of line.matchAll(token)) {
    html += escapeHtml(line.slice(at, match.index));
    at = match.index + match[0].length;
    const kind = Object.keys(match.groups).find(name => match.groups[name] !== undefined);
    html += coloured(match[0], kind);
  }
  return html + escapeHtml(line.slice(at));
}

if (typeof module !== "undefined") module.exports = {highlightCpp, highlightIr};
