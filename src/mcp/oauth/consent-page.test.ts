import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { consentPage, pageHeaders, refusalPage, type Consent } from "./consent-page.ts";

const asked: Consent = {
  clientId: "assistant",
  redirectUri: "http://127.0.0.1:33418/callback",
  scopes: [
    { name: "monitor:read", sentence: "Read everything." },
    { name: "alerts:write", sentence: "Acknowledge alerts.", refusable: true },
  ],
  resource: "https://monitor.example.org/mcp",
  needsAdminToken: false,
  hidden: { state: "abc" },
};

describe("the page that asks for consent", () => {
  it("says who asks, what it could do, what for, and lets both be answered", () => {
    const page = consentPage(asked);
    for (const part of [
      "<code>assistant</code>",
      "<li>Read everything.</li>",
      '<input type="checkbox" name="alerts:write" value="yes">',
      "Acknowledge alerts.",
      "<code>https://monitor.example.org/mcp</code>",
      '<input type="hidden" name="state" value="abc">',
      '<button name="decision" value="allow">',
      '<button name="decision" value="deny"',
    ]) {
      assert.ok(page.includes(part), part);
    }
    assert.doesNotMatch(page, /checked|selected|admin_token|role="alert"|<script/);
  });

  for (const [redirectUri, words] of [
    ["http://127.0.0.1:33418/callback", "<strong>To a program on this computer</strong>"],
    ["http://[::1]:9/", "<strong>To a program on this computer</strong>"],
    ["http://localhost/x", "<strong>To a program on this computer</strong>"],
    ["cursor://anysphere.cursor-mcp/oauth", "<strong>To an application on this computer</strong>"],
    ["https://claude.ai/api/mcp/auth_callback", "To <strong>claude.ai</strong>, another computer"],
    ["https://localhost.example.org:8443/x", "To <strong>localhost.example.org:8443</strong>, another computer"],
    ["https://127.0.0.1.example.org/x", "To <strong>127.0.0.1.example.org</strong>, another computer"],
  ] as const) {
    it(`names where the answer goes: ${redirectUri}`, () => {
      const page = consentPage({ ...asked, redirectUri });
      assert.ok(page.includes(words));
      assert.ok(page.includes(`>${redirectUri}</code>`));
    });
  }

  it("asks for the admin token where there is one, and can be denied without it", () => {
    const page = consentPage({ ...asked, needsAdminToken: true });
    assert.match(page, /<input id="admin_token" name="admin_token" type="password"[^>]* required>/);
    assert.match(page, /<button name="decision" value="deny"[^>]* formnovalidate>/);
  });

  it("says why the answer before was not taken, beside the field", () => {
    const page = consentPage({ ...asked, needsAdminToken: true, fault: "That is not the token." });
    assert.match(page, /<p id="fault" role="alert">That is not the token\.<\/p>/);
    assert.match(page, /<input id="admin_token"[^>]* aria-describedby="fault"/);
  });
});

it("everything that is given is text on the pages, wherever it stands", () => {
  const evil = `"'><script>alert(1)</script>&amp;`;
  const pages = [
    consentPage({
      clientId: evil,
      redirectUri: `https://a&'b.example.org/?x=${evil}`,
      scopes: [
        { name: evil, sentence: evil },
        { name: evil, sentence: evil, refusable: true },
      ],
      resource: evil,
      needsAdminToken: true,
      fault: evil,
      hidden: { [evil]: evil },
    }),
    refusalPage({ title: evil, message: evil }),
  ];
  const [page = "", refusal = ""] = pages.map((html) => html.slice(html.indexOf("<body>")));
  const given = "&#34;&#39;&#62;&#60;script&#62;alert(1)&#60;/script&#62;&#38;amp;";
  assert.equal(page.split(given).length - 1, 9);
  assert.equal(refusal.split(given).length - 1, 2);
  assert.ok(page.includes("To <strong>a&#38;&#39;b.example.org</strong>"));
  for (const html of pages) assert.doesNotMatch(html, /<script|'>|alert\(1\)<\/script/);
});

it("no other site can frame the pages, run anything on them, or learn their address", () => {
  for (const page of ["consent", "refusal"] as const) {
    const headers = pageHeaders(page);
    assert.match(headers["content-security-policy"] ?? "", /default-src 'none';.*frame-ancestors 'none'/);
    assert.deepEqual([headers["cache-control"], headers["referrer-policy"]], ["no-store", "same-origin"]);
  }
  assert.match(pageHeaders("refusal")["content-security-policy"] ?? "", /form-action 'none'/);
  assert.doesNotMatch(pageHeaders("consent")["content-security-policy"] ?? "", /form-action/);
});
