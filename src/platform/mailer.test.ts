import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { createSecureContext } from "node:tls";
import { type MailReceiver, type MailReceiverOptions, startMailReceiver } from "../../test/support/mail-receiver.ts";
import { makeIdentity } from "../../test/support/receivers.ts";
import { systemClock } from "./clock.ts";
import type { Attempt } from "./delivery-schedule.ts";
import { createMailer, type Mail, type Mailer, type SmtpSettings } from "./mailer.ts";

const LOGIN = { username: "binnacle", password: "s3cret" };
const servers: MailReceiver[] = [];
let identity: Awaited<ReturnType<typeof makeIdentity>>;

before(async () => {
  identity = await makeIdentity(["127.0.0.1"]);
});
after(async () => {
  for (const server of servers) await server.stop();
});

async function serve(options: MailReceiverOptions = {}): Promise<MailReceiver> {
  const server = await startMailReceiver({ ...options, identity });
  servers.push(server);
  return server;
}

function mailerFor({ host, port }: Pick<MailReceiver, "host" | "port">, changes: Partial<SmtpSettings> = {}): Mailer {
  const secureContext = createSecureContext({ ca: identity.rootPem });
  return createMailer(
    { host, port, login: undefined, from: "Binnacle <monitor@example.com>", tls: "none", secureContext, ...changes },
    systemClock,
  );
}

function mail(changes: Partial<Mail> = {}): Mail {
  const content = {
    subject: "Critical: container web",
    text: "web restarted 9 times in 10 minutes.",
    html: "<h1>Critical: container web</h1><p>web restarted 9 times in 10 minutes.</p>",
  };
  const signal = new AbortController().signal;
  return { ...content, recipients: ["ada@example.com", "grace@example.com"], key: "17", signal, timeoutMs: 30_000, ...changes };
}

const of = ({ status, statusCode, error }: Attempt): object => ({ status, statusCode, error });
const delivered = { status: "delivered", statusCode: 250, error: null };

describe("mail", () => {
  it("is sent with STARTTLS and a login", async () => {
    const server = await serve({ tls: "starttls", login: LOGIN });
    assert.deepEqual(of(await mailerFor(server, { tls: "starttls", login: LOGIN }).send(mail())), delivered);
    const [got] = await server.got(1);
    assert.equal(got?.secure, true);
    assert.equal(got?.user, "binnacle");
    assert.equal(got?.from, "monitor@example.com");
    assert.deepEqual(got?.to, ["ada@example.com", "grace@example.com"]);
    assert.match(got?.raw ?? "", /^From: Binnacle <monitor@example\.com>/m);
    assert.match(got?.raw ?? "", /^Subject: Critical: container web/m);
    assert.match(got?.raw ?? "", /^Message-ID: <17@binnacle\.invalid>/im);
    assert.match(got?.raw ?? "", /^Auto-Submitted: auto-generated/m);
    assert.match(got?.raw ?? "", /multipart\/alternative/);
    assert.match(got?.raw ?? "", /text\/plain[\s\S]*web restarted 9 times in 10 minutes[\s\S]*text\/html[\s\S]*<h1/);
  });

  it("is sent over TLS, and over nothing", async () => {
    const secure = await serve({ tls: "tls" });
    assert.deepEqual(of(await mailerFor(secure, { tls: "tls" }).send(mail())), delivered);
    assert.equal((await secure.got(1))[0]?.secure, true);
    const plain = await serve();
    assert.deepEqual(of(await mailerFor(plain).send(mail())), delivered);
    assert.equal((await plain.got(1))[0]?.secure, false);
  });

  it("is not sent without the security that was asked for", async () => {
    const plain = await serve({ login: LOGIN });
    const outcome = await mailerFor(plain, { tls: "starttls", login: LOGIN }).send(mail());
    assert.equal(outcome.status, "failed");
    assert.match(outcome.error ?? "", /STARTTLS/);
    const stranger = await serve({ tls: "starttls" });
    const distrusted = await mailerFor(stranger, { tls: "starttls", secureContext: createSecureContext({}) }).send(mail());
    assert.match(distrusted.error ?? "", /not trusted|secure connection/);
    assert.equal(plain.received.length + stranger.received.length, 0);
  });

  it("reports a refused login, and never the password", async () => {
    const server = await serve({ tls: "starttls", login: LOGIN });
    const outcome = await mailerFor(server, { tls: "starttls", login: { ...LOGIN, password: "wr0ng" } }).send(mail());
    assert.deepEqual(of(outcome), { status: "failed", statusCode: 535, error: "The mail server refused the login (535)." });
    assert.doesNotMatch(JSON.stringify(outcome), /wr0ng|s3cret/);
  });

  it("reports refused recipients, and does not send again to those who have it", async () => {
    const server = await serve();
    server.refused.add("grace@example.com");
    const mailer = mailerFor(server);
    assert.deepEqual(of(await mailer.send(mail())), {
      status: "failed",
      statusCode: 550,
      error: "The mail server refused grace@example.com.",
    });
    assert.deepEqual((await server.got(1))[0]?.to, ["ada@example.com"]);
    server.refused.clear();
    assert.deepEqual(of(await mailer.send(mail())), delivered);
    assert.deepEqual(
      server.received.map(({ to }) => to),
      [["ada@example.com"], ["grace@example.com"]],
    );
    assert.deepEqual(of(await mailer.send(mail({ key: "18" }))), delivered);
    assert.equal(server.received[2]?.to.length, 2);
  });

  it("is done when all others have it and the rest is refused for good, however their domains are written", async () => {
    const server = await serve();
    server.refused.add("grace@example.com");
    const mailer = mailerFor(server);
    const recipients = ["ada@Example.COM", "grace@example.com", "ops@münchen.example"];
    assert.equal((await mailer.send(mail({ recipients }))).status, "failed");
    assert.deepEqual(of(await mailer.send(mail({ recipients }))), {
      status: "delivered",
      statusCode: 550,
      error: "The mail server refused grace@example.com (550).",
    });
    assert.deepEqual(
      server.received.map(({ to }) => to),
      [["ada@example.com", "ops@münchen.example"]],
    );
  });

  it("cannot be given further headers or recipients", async () => {
    const server = await serve();
    const evil = "web\r\nBcc: everybody@example.com\r\n\r\nbody";
    const headers = { "List-Unsubscribe": `<https://a.example/?t=1>${evil}` };
    assert.deepEqual(of(await mailerFor(server).send(mail({ subject: evil, key: "a\r\nX-Evil: 1", headers }))), delivered);
    const [got] = await server.got(1);
    const [head = ""] = (got?.raw ?? "").split("\r\n\r\n");
    assert.doesNotMatch(head, /^(Bcc|X-Evil):/im);
    assert.deepEqual(got?.to, ["ada@example.com", "grace@example.com"]);
  });

  it("can be given headers, which stand in one line each", async () => {
    const server = await serve();
    const link = `https://status.example.com/status/unsubscribe?token=${"a".repeat(43)}`;
    const headers = { "List-Unsubscribe": `<${link}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" };
    assert.deepEqual(of(await mailerFor(server).send(mail({ headers }))), delivered);
    const raw = (await server.got(1))[0]?.raw.replace(/\r\n[ \t]+/g, " ") ?? "";
    assert.ok(raw.includes(`List-Unsubscribe: <${link}>\r\n`));
    assert.match(raw, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m);
  });

  it("reports why a server was not reached, and does not wait for ever", async () => {
    const gone = await serve();
    await gone.stop();
    assert.match((await mailerFor(gone).send(mail())).error ?? "", /^127\.0\.0\.1 refused the connection\.$/);
    const hanging = await serve({ hangs: true });
    assert.match((await mailerFor(hanging).send(mail({ timeoutMs: 100 }))).error ?? "", /did not answer/);
    const breaking = new AbortController();
    const sent = mailerFor(hanging).send(mail({ signal: breaking.signal }));
    breaking.abort();
    assert.equal((await sent).error, "The attempt was broken off.");
    const nowhere = await mailerFor({ host: "nowhere.invalid", port: 25 }).send(mail());
    assert.equal(nowhere.status, "failed");
    assert.match(nowhere.error ?? "", /nowhere\.invalid/);
  });
});
