/** How text from outside loses its power at each receiver. */

/** Slack's three control characters. Source: Slack, Formatting text for app surfaces. */
export function escapeSlack(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

export function escapeHtml(text: string): string {
  return escapeSlack(text).replaceAll('"', "&quot;").replaceAll("'", "&#39;");
}

/**
 * Markdown as Discord and Mattermost read it: each character that could begin something is preceded by a backslash, and a mention is broken
 * by an invisible space, since some are read before the backslashes are.
 */
export function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_{}[\]()#+\-.!|~<>:]/g, "\\$&").replaceAll("@", "@\u200b");
}

/** Adaptive Cards replace `{{DATE(...)}}` wherever it stands. */
export function escapeCard(text: string): string {
  return text.replaceAll("{", "{\u200b");
}

/** Escapes as much of the text as fits, whole characters, with an ellipsis when not all did. */
export function fit(text: string, longest: number, escape: (text: string) => string = (plain) => plain): string {
  const whole = escape(text);
  if (whole.length <= longest) return whole;
  let fitted = "";
  for (const character of text) {
    const next = fitted + escape(character);
    if (next.length > longest - 1) break;
    fitted = next;
  }
  return `${fitted}…`;
}
