import assert from "node:assert/strict";
import { test } from "node:test";
import { notificationOf } from "../../../../test/support/alert-records.ts";
import { startMailReceiver } from "../../../../test/support/mail-receiver.ts";
import { systemClock } from "../../../platform/clock.ts";
import { createMailer } from "../../../platform/mailer.ts";
import { email } from "./email.ts";

test("what an alert says becomes neither a header, nor a recipient, nor markup", async (context) => {
  const server = await startMailReceiver();
  context.after(server.stop);
  const { host, port } = server;
  const mailer = createMailer({ host, port, login: undefined, from: "monitor@example.com", tls: "none" }, systemClock);
  const evil = "web\r\nBcc: everybody@example.com\r\n\r\n<script>alert(1)</script>";
  const notification = notificationOf("alert.fired", { entity_name: evil, message: evil, cause: evil, acknowledged_by: evil });
  const content = email.message(notification);
  const { signal } = new AbortController();
  const sent = await mailer.send({ ...content, recipients: ["ada@example.com"], key: "a\r\nX-Evil: 1", signal, timeoutMs: 30_000 });
  assert.equal(sent.status, "delivered");
  const [got] = await server.got(1);
  const [head = ""] = (got?.raw ?? "").split("\r\n\r\n");
  assert.doesNotMatch(head, /^(Bcc|X-Evil):/im);
  assert.deepEqual(got?.to, ["ada@example.com"]);
  const [, html = ""] = (got?.raw ?? "").split("Content-Type: text/html");
  assert.match(html, /&lt;script/);
  assert.doesNotMatch(html, /<script/);
});
