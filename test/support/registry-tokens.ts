import { createPrivateKey, randomUUID, sign } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createAuthority } from "./tls-authority.ts";

/** What Docker calls an authorization service: it gives out tokens that a registry believes. */
export interface TokenServer {
  realm: string;
  /** What the registry must know to accept it. */
  certFile: string;
  /** Query, or form, of each question. */
  asked: { query: URLSearchParams; authorization: string | undefined }[];
  /** A token without asking. */
  mint(repository: string, actions: readonly string[]): string;
  /** For how long its tokens hold, as it says. */
  lifeSeconds: number;
  stop(): Promise<void>;
}

export const SERVICE = "test-registry";

/** In a folder for its keys. Who comes without credentials gets what `anonymous` says. The refresh token is `refresh-USERNAME`. */
export async function startTokenServer({
  folder,
  username,
  password,
  anonymous,
}: {
  folder: string;
  username: string;
  password: string;
  anonymous: readonly string[];
}): Promise<TokenServer> {
  const valid = { from: new Date(Date.now() - 3_600_000), until: new Date(Date.now() + 86_400_000) };
  const identity = await createAuthority(folder).issue({ name: "tokens", ...valid, extensions: ["basicConstraints=critical,CA:TRUE"] });
  const key = createPrivateKey(identity.key);
  const expected = `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;

  const mint: TokenServer["mint"] = (name, actions) => {
    const nowSeconds = Math.floor(Date.now() / 1000);
    const header = { typ: "JWT", alg: "ES256", x5c: [identity.cert.replace(/-----[^-]+-----|\s/g, "")] };
    const times = { iat: nowSeconds, nbf: nowSeconds - 10, exp: nowSeconds + 600 };
    const access = [{ type: "repository", name, actions }];
    const claims = { iss: SERVICE, aud: SERVICE, sub: username, jti: randomUUID(), ...times, access };
    const signed = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
    return `${signed}.${sign("sha256", Buffer.from(signed), { key, dsaEncoding: "ieee-p1363" }).toString("base64url")}`;
  };

  const server = createServer(async (request, response) => {
    let form = "";
    for await (const piece of request) form += String(piece);
    const query = request.method === "POST" ? new URLSearchParams(form) : new URL(request.url ?? "/", "http://x").searchParams;
    const { authorization } = request.headers;
    tokens.asked.push({ query, authorization });
    const isKnown = authorization === expected || query.get("refresh_token") === `refresh-${username}`;
    if ((authorization !== undefined || query.has("refresh_token")) && !isKnown) return void response.writeHead(401).end("{}");
    const [, name = "", wanted = ""] = /^repository:([^:]+):(.+)$/.exec(query.get("scope") ?? "") ?? [];
    const actions = isKnown ? wanted.split(",") : anonymous.filter((action) => wanted.split(",").includes(action));
    const token = mint(name, actions);
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ token, expires_in: tokens.lifeSeconds }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const tokens: TokenServer = {
    realm: `http://127.0.0.1:${port}/token`,
    certFile: identity.certFile,
    asked: [],
    mint,
    lifeSeconds: 300,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
  return tokens;
}
