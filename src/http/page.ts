/** A small HTML page that the server renders itself, for both themes and without JavaScript. `body` is HTML. */
export function renderPage({ title, body }: { title: string; body: string }): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} · Binnacle</title>
<style>${STYLE}</style>
</head>
<body><main>
${body}
</main></body>
</html>
`;
}

/** A page with one message. */
export function renderNotice({ title, sentence }: { title: string; sentence: string }): string {
  return renderPage({ title, body: `<h1>${escapeHtml(title)}</h1>\n<p>${escapeHtml(sentence)}</p>` });
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

const STYLE = `
:root { color-scheme: light dark; font: 14px/1.5 system-ui, sans-serif; color: light-dark(#1f1e1c, #e6e8ec); background: light-dark(#faf9f7, #101317); }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; }
main { box-sizing: border-box; width: min(100%, 400px); padding: 24px; }
h1 { font-size: 20px; font-weight: 600; margin: 0 0 24px; }
label { display: block; font-size: 12px; margin-bottom: 4px; color: light-dark(#5d5a55, #a4abb6); }
input, button { box-sizing: border-box; width: 100%; font: inherit; padding: 8px 12px; border-radius: 6px; border: 1px solid light-dark(#8a8680, #69717d); color: inherit; background: light-dark(#fff, #181c22); }
button { margin-top: 16px; border-color: transparent; color: #fff; background: #2a5db0; font-weight: 600; cursor: pointer; }
:focus-visible { outline: 2px solid light-dark(#2a5db0, #7aa7f0); outline-offset: 2px; }
code { font: 13px ui-monospace, monospace; overflow-wrap: anywhere; }
.plain { border-color: light-dark(#8a8680, #69717d); color: inherit; background: none; }
.side-by-side { display: grid; grid-template-columns: 1fr 1fr; gap: 12px; margin-top: 8px; }
p { margin: 0 0 16px; }
h2 { font-size: 14px; font-weight: 600; margin: 24px 0 8px; }
ul { margin: 0 0 16px; padding: 0 0 0 20px; }
li { margin-bottom: 4px; }
.choice { margin-bottom: 16px; display: grid; grid-template-columns: auto 1fr; gap: 8px; align-items: start; font-size: inherit; color: inherit; }
[type=checkbox] { width: 16px; height: 16px; margin: 3px 0 0; }
.quiet { color: light-dark(#5d5a55, #a4abb6); }
[role=alert] { color: light-dark(#b3261e, #ff8a80); margin: 8px 0 0; }
`;
