import { escapeHtml, renderPage } from "../../http/page.ts";

/** What one scope allows, in a sentence for the person who decides. */
export interface AskedScope {
  name: string;
  sentence: string;
  /** May be left out of what is granted: a box, empty at first, whose field is named after the scope. */
  refusable?: boolean;
}

export interface Consent {
  clientId: string;
  /** Where the answer goes, as the client gave it and the server accepted it. */
  redirectUri: string;
  scopes: readonly AskedScope[];
  /** The address that the tokens are for. */
  resource: string;
  /** Asks for the admin token, in the field `admin_token`. */
  needsAdminToken: boolean;
  /** Why the answer before was not taken. */
  fault?: string | undefined;
  /** Fields that come back with the decision as they are. */
  hidden: Readonly<Record<string, string>>;
}

/** Asks the person in front of the browser whether an assistant may be connected; the form posts `decision`, `allow` or `deny`. */
export function consentPage({ clientId, redirectUri, scopes, resource, needsAdminToken, fault, hidden }: Consent): string {
  const alert = fault === undefined ? "" : `<p id="fault" role="alert">${escapeHtml(fault)}</p>\n`;
  return renderPage({
    title: "Connect an assistant",
    body: `<h1>Let an assistant look at this monitor?</h1>
<p>A program that gives the client id <code>${escapeHtml(clientId)}</code> asks to be connected with Binnacle.</p>
<form method="post" action="/oauth/authorize">
${hiddenFields(hidden)}<h2>What it could do</h2>
${scopeList(scopes)}
<h2>Where the answer goes</h2>
<p>${destination(redirectUri)}<br><code class="quiet">${escapeHtml(redirectUri)}</code></p>
<p>The connection is good for <code>${escapeHtml(resource)}</code> alone, and can be ended at any time under Settings, Assistants.</p>
<h2>Did you begin this yourself?</h2>
<p>Binnacle has no accounts: whoever can open this page can answer it. Continue only if you just asked your own assistant to connect. If you did not expect this page, deny.</p>
${needsAdminToken ? tokenField(fault !== undefined) : ""}${alert}<div class="side-by-side">
<button name="decision" value="allow">Allow</button>
<button name="decision" value="deny" class="plain" formnovalidate>Deny</button>
</div>
</form>`,
  });
}

/** Explains why consent is not asked for. There is no trusted address to send the user back to. */
export function refusalPage({ title, message }: { title: string; message: string }): string {
  return renderPage({
    title,
    body: `<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(message)}</p>
<p class="quiet">It was sent nothing. You can close this page.</p>`,
  });
}

/** The page that asks goes without `form-action`: browsers apply it to every redirect after the form, also to the client's own. */
export function pageHeaders(page: "consent" | "refusal"): Record<string, string> {
  const policy = ["default-src 'none'", "style-src 'unsafe-inline'", "base-uri 'none'", "frame-ancestors 'none'"];
  return {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "referrer-policy": "same-origin",
    "content-security-policy": (page === "refusal" ? [...policy, "form-action 'none'"] : policy).join("; "),
  };
}

function destination(redirectUri: string): string {
  const { protocol, hostname, host } = new URL(redirectUri);
  if (protocol !== "http:" && protocol !== "https:") {
    return `<strong>To an application on this computer</strong>, the one that opens <code>${escapeHtml(protocol)}</code> addresses.`;
  }
  if (/^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)) {
    return `<strong>To a program on this computer</strong>, the one that this browser runs on.`;
  }
  return `To <strong>${escapeHtml(host)}</strong>, another computer.`;
}

function scopeList(scopes: readonly AskedScope[]): string {
  const fixed = scopes.filter(({ refusable }) => refusable !== true).map(({ sentence }) => `<li>${escapeHtml(sentence)}</li>`);
  const boxes = scopes
    .filter(({ refusable }) => refusable === true)
    .map(
      ({ name, sentence }) =>
        `<label class="choice"><input type="checkbox" name="${escapeHtml(name)}" value="yes"><span>${escapeHtml(sentence)}</span></label>`,
    );
  const list = [
    ...(fixed.length === 0 ? [] : [`<ul>${fixed.join("")}</ul>`]),
    `<p class="quiet">What an assistant reads, logs included, is passed on to whoever runs its model.</p>`,
  ];
  return [
    ...list,
    ...(boxes.length === 0 ? [] : [`<p class="quiet">It also asks for this. Tick what you want to allow:</p>`, ...boxes]),
  ].join("\n");
}

function tokenField(isWrong: boolean): string {
  return `<input autocomplete="username" value="admin" hidden>
<label for="admin_token">Admin token, the value of SERVICE_ADMIN_TOKEN</label>
<input id="admin_token" name="admin_token" type="password" autocomplete="current-password" required${isWrong ? ' autofocus aria-invalid="true" aria-describedby="fault"' : ""}>
`;
}

function hiddenFields(fields: Readonly<Record<string, string>>): string {
  return Object.entries(fields)
    .map(([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">\n`)
    .join("");
}
