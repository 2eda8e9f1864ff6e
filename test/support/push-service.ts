import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from "node:crypto";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/** A message as a push service takes it, read with the keys of the browser. */
export interface Pushed {
  path: string;
  headers: IncomingHttpHeaders;
  /** Of the token of `Authorization`, whose signature was checked. */
  claims: { aud: string; exp: number; sub: string };
  /** The key that the token was signed with. */
  key: string;
  /** What the browser gets. */
  text: string;
}

/** A push service on loopback, and a browser that it knows. It refuses what a real one would refuse: see RFC 8030, 8291 and 8292. */
export interface PushService {
  /** The address of a channel for its browser. */
  channelUrl: string;
  pushed: Pushed[];
  /** What it answers, from the next message on. */
  answer: { status: number; headers?: Record<string, string> };
  stop(): Promise<void>;
}

export async function startPushService(): Promise<PushService> {
  const browser = createECDH("prime256v1");
  browser.generateKeys();
  const authSecret = randomBytes(16);
  const server = createServer(async (request, response) => {
    const { headers } = request;
    const body = await buffer(request);
    try {
      for (const [name, pattern] of Object.entries(NEEDED))
        if (!pattern.test(String(headers[name]))) throw new Error(`${name}: ${String(headers[name])}`);
      if (body.length > 4096) throw new Error(`${body.length} bytes`);
      const { claims, key } = readVapid(headers.authorization ?? "");
      const text = decryptPush(body, { browser: browser.getPrivateKey(), authSecret }).toString();
      service.pushed.push({ path: request.url ?? "", headers, claims, key, text });
      response.writeHead(service.answer.status, service.answer.headers).end();
    } catch (error) {
      response.writeHead(400).end(String(error));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const service: PushService = {
    channelUrl: `http://127.0.0.1:${port}/w/?token=a%2bb&p256dh=${browser.getPublicKey("base64url")}&auth=${authSecret.toString("base64url")}`,
    pushed: [],
    answer: { status: 201 },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return service;
}

const NEEDED = {
  ttl: /^\d+$/,
  topic: /^[\w-]{1,32}$/,
  urgency: /^(?:very-low|low|normal|high)$/,
  "content-encoding": /^aes128gcm$/,
  authorization: /^vapid t=[\w-]+\.[\w-]+\.[\w-]+, k=[\w-]{87}$/,
};

/** The claims of a token, whose signature must be right. Source: RFC 8292. */
export function readVapid(authorization: string): Pick<Pushed, "claims" | "key"> {
  const [, header = "", claims = "", signature = "", key = ""] = /^vapid t=([^.]+)\.([^.]+)\.([^,]+), ?k=(.+)$/.exec(authorization) ?? [];
  const point = Buffer.from(key, "base64url");
  const jwk = { kty: "EC", crv: "P-256", x: point.subarray(1, 33).toString("base64url"), y: point.subarray(33).toString("base64url") };
  const isRight = verify(
    "sha256",
    Buffer.from(`${header}.${claims}`),
    { key: createPublicKey({ key: jwk, format: "jwk" }), dsaEncoding: "ieee-p1363" },
    Buffer.from(signature, "base64url"),
  );
  if (!isRight) throw new Error("the signature of the token is wrong");
  return { claims: JSON.parse(Buffer.from(claims, "base64url").toString()), key };
}

/** As a browser reads a message. Source: RFC 8291, section 3. */
export function decryptPush(body: Buffer, { browser, authSecret }: { browser: Buffer; authSecret: Buffer }): Buffer {
  const receiver = createECDH("prime256v1");
  receiver.setPrivateKey(browser);
  const salt = body.subarray(0, 16);
  const senderKey = body.subarray(21, 21 + body.readUInt8(20));
  const record = body.subarray(21 + senderKey.length);
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), receiver.getPublicKey(), senderKey]);
  const inputKey = Buffer.from(hkdfSync("sha256", receiver.computeSecret(senderKey), authSecret, info, 32));
  const derive = (name: string, length: number): Buffer =>
    Buffer.from(hkdfSync("sha256", inputKey, salt, `Content-Encoding: ${name}\0`, length));
  const decipher = createDecipheriv("aes-128-gcm", derive("aes128gcm", 16), derive("nonce", 12));
  decipher.setAuthTag(record.subarray(-16));
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
  const end = padded.findLastIndex((byte) => byte !== 0);
  if (padded[end] !== 2) throw new Error("the last record does not end as one");
  return padded.subarray(0, end);
}
