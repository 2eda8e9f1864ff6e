import assert from "node:assert/strict";
import { it } from "node:test";
import { parseConfig } from "./config.ts";

function smtp(env: Record<string, string>) {
  const start = parseConfig({ argv: [], env });
  return "config" in start ? start.config.smtp : undefined;
}

it("mail has its defaults", () => {
  assert.equal(smtp({}), undefined);
  assert.deepEqual(smtp({ SERVICE_SMTP_HOST: "mail.example.com", SERVICE_SMTP_FROM: "monitor@example.com" }), {
    host: "mail.example.com",
    port: 587,
    login: undefined,
    from: "monitor@example.com",
    tls: "starttls",
  });
});

it("mail takes a login, whose password is never printed", () => {
  const settings = smtp({
    SERVICE_SMTP_HOST: "[::1]",
    SERVICE_SMTP_PORT: "465",
    SERVICE_SMTP_TLS: "tls",
    SERVICE_SMTP_USERNAME: "ada",
    SERVICE_SMTP_PASSWORD: "s3cret",
    SERVICE_SMTP_FROM: "Binnacle <monitor@example.com>",
  });
  assert.equal(settings?.host, "::1");
  assert.equal(settings?.login?.password.reveal(), "s3cret");
  assert.doesNotMatch(JSON.stringify(settings), /s3cret/);
});

for (const [env, message] of [
  [{ SERVICE_SMTP_HOST: "mail.example.com" }, /SERVICE_SMTP_FROM/],
  [{ SERVICE_SMTP_FROM: "monitor@example.com" }, /SERVICE_SMTP_HOST/],
  [{ SERVICE_SMTP_PASSWORD: "s3cret" }, /SERVICE_SMTP_HOST/],
  [{ SERVICE_SMTP_HOST: "mail.example.com", SERVICE_SMTP_FROM: "a@b.example", SERVICE_SMTP_USERNAME: "ada" }, /SERVICE_SMTP_PASSWORD/],
  [{ SERVICE_SMTP_HOST: "mail.example.com:25", SERVICE_SMTP_FROM: "a@b.example" }, /SERVICE_SMTP_HOST/],
  [{ SERVICE_SMTP_HOST: "mail.example.com", SERVICE_SMTP_FROM: "nobody" }, /SERVICE_SMTP_FROM/],
  [{ SERVICE_SMTP_HOST: "mail.example.com", SERVICE_SMTP_FROM: "a@b.example\r\nBcc: c@d.example" }, /SERVICE_SMTP_FROM/],
  [{ SERVICE_SMTP_HOST: "mail.example.com", SERVICE_SMTP_FROM: "a@b.example,c@d.example" }, /SERVICE_SMTP_FROM/],
  [{ SERVICE_SMTP_HOST: "mail.example.com", SERVICE_SMTP_FROM: "a@b.example", SERVICE_SMTP_TLS: "ssl" }, /starttls, tls, none/],
] as const) {
  it(`mail is refused: ${JSON.stringify(env)}`, () => {
    assert.throws(() => smtp(env), message);
    assert.throws(
      () => smtp(env),
      (error) => !String(error).includes("s3cret"),
    );
  });
}
