import { generateKeyPairSync, randomBytes } from "node:crypto";
import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DAY_MS } from "../../../src/contract/time.ts";
import { type Authority, createAuthority, type Identity } from "../tls-authority.ts";

/** What a cluster and those who ask it trust each other by. */
export interface Trust {
  /** The token of a member of system:masters. */
  token: string;
  ca: string;
  /** A client certificate for a user of that name, in no group. */
  certify(user: string): Promise<Identity>;
}

/** Writes the authority, certificate, keys and tokens of a cluster to its folder. */
export async function createTrust(folder: string): Promise<Trust> {
  const tls = join(folder, "tls");
  await mkdir(tls);
  const authority: Authority = createAuthority(tls);
  const life = { from: new Date(Date.now() - DAY_MS), until: new Date(Date.now() + 30 * DAY_MS) };
  const ca = await authority.issue({
    ...life,
    name: "ca",
    extensions: ["basicConstraints = critical,CA:true", "keyUsage = critical,keyCertSign,cRLSign", "subjectKeyIdentifier = hash"],
  });
  const server = await authority.issue({
    ...life,
    name: "server",
    issuer: ca,
    extensions: [
      "basicConstraints = CA:false",
      "extendedKeyUsage = serverAuth",
      "subjectAltName = IP:127.0.0.1,DNS:localhost,DNS:kubernetes.default.svc",
    ],
  });
  const accounts = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
  });
  const token = randomBytes(24).toString("hex");
  await Promise.all([
    copyFile(ca.certFile, join(folder, "ca.pem")),
    copyFile(server.certFile, join(folder, "server.pem")),
    copyFile(server.keyFile, join(folder, "server.key")),
    writeFile(join(folder, "accounts.pub"), accounts.publicKey),
    writeFile(join(folder, "accounts.key"), accounts.privateKey),
    writeFile(join(folder, "tokens.csv"), `${token},admin,1,"system:masters"\n`),
  ]);
  return {
    token,
    ca: ca.cert,
    certify: (user) => authority.issue({ ...life, name: user, issuer: ca, extensions: ["extendedKeyUsage = clientAuth"] }),
  };
}
