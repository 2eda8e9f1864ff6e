import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import { until } from "./until.ts";

export interface ReceivedMail {
  from: string;
  to: string[];
  /** Head and body as they came. */
  raw: string;
  /** Who logged in; null when nobody did. */
  user: string | null;
  secure: boolean;
}

/** A real mail server on loopback that records what it gets. */
export interface MailReceiver {
  host: string;
  port: number;
  received: ReceivedMail[];
  /** Recipients that it refuses. */
  refused: Set<string>;
  got(count: number): Promise<ReceivedMail[]>;
  stop(): Promise<void>;
}

export interface MailReceiverOptions {
  /** `starttls` offers it, `tls` speaks it from the beginning. */
  tls?: "starttls" | "tls" | "none";
  identity?: { cert: string; key: string };
  /** Without one nobody has to log in. */
  login?: { username: string; password: string };
  /** Answers nothing after the greeting. */
  hangs?: boolean;
}

export async function startMailReceiver({ tls = "none", identity, login, hangs = false }: MailReceiverOptions = {}): Promise<MailReceiver> {
  const received: ReceivedMail[] = [];
  const refused = new Set<string>();
  const server = new SMTPServer({
    ...identity,
    secure: tls === "tls",
    authOptional: login === undefined,
    allowInsecureAuth: tls === "none",
    disabledCommands: [...(tls === "starttls" ? [] : ["STARTTLS"]), ...(login === undefined ? ["AUTH"] : [])],
    closeTimeout: 100,
    onConnect: (_session, done) => {
      if (!hangs) done();
    },
    onAuth: ({ username, password }, _session, done) => {
      if (username === login?.username && password === login?.password) done(null, { user: username });
      else done(Object.assign(new Error("wrong name or password"), { responseCode: 535 }));
    },
    onRcptTo: ({ address }, _session, done) => {
      done(refused.has(address) ? Object.assign(new Error(`no mailbox here by the name of ${address}`), { responseCode: 550 }) : null);
    },
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        received.push({
          from: session.envelope.mailFrom === false ? "" : session.envelope.mailFrom.address,
          to: session.envelope.rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks).toString(),
          user: session.user ?? null,
          secure: session.secure,
        });
        done();
      });
    },
  });
  // A client that breaks off is part of what is tested.
  server.on("error", () => undefined);
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    host: "127.0.0.1",
    port,
    received,
    refused,
    async got(count) {
      await until(() => received.length >= count, { what: `${count} mails (it got ${received.length})` });
      return received;
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
