/** What other sites put into their pages to show the status. */

interface Snippet {
  name: string;
  code: string;
}

/** The compact page in a frame. `publicUrl` ends in a slash. */
export function embedSnippet(publicUrl: string, title: string): string {
  return `<iframe src="${escapeAttribute(`${publicUrl}?embed=1`)}" title="${escapeAttribute(title)}" loading="lazy" style="width:100%;height:32rem;border:0"></iframe>`;
}

/** A badge that leads to the page, in the languages that readmes are written in. */
export function badgeSnippets(publicUrl: string, { path, name }: { path: string; name: string }): Snippet[] {
  const image = new URL(`/status/${path}`, publicUrl).href;
  return [
    { name: "Markdown", code: `[![${name.replace(/[\\[\]]/g, "\\$&")}](${image})](${publicUrl})` },
    {
      name: "HTML",
      code: `<a href="${escapeAttribute(publicUrl)}"><img src="${escapeAttribute(image)}" alt="${escapeAttribute(name)}"></a>`,
    },
    { name: "Address", code: image },
  ];
}

function escapeAttribute(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
