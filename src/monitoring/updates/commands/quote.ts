/** Text as one word of a POSIX shell, whatever is in it. Words that no shell reads otherwise stay as they are. Without NUL: no word can hold it. */
export function quote(text: string): string {
  const word = text.replaceAll("\0", "");
  return /^[A-Za-z0-9_@%+:,./-][A-Za-z0-9_@%+:,./=-]*$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Words as one line. */
export function quoteAll(words: readonly string[]): string {
  return words.map(quote).join(" ");
}
