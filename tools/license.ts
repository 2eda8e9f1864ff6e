/**
 * `npm run -s license -- --edition pro [--organisation NAME] [--days N]`: prints a licence key that builds of this checkout accept.
 * The key pair is made below .license/ on first use and never leaves the checkout.
 */
import { createPrivateKey, generateKeyPairSync, randomUUID, sign, type KeyObject } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

const DAY_MS = 86_400_000;

export interface Order {
  edition: string;
  organisation: string;
  /** Until it expires; negative mints an expired one. */
  days: number;
}

/** Where the pair of this checkout is. */
export const LICENSES = join(import.meta.dirname, "../.license");

/** Makes the pair in `folder` when there is none: a build takes what is there. */
export function makePair(folder: string): void {
  const path = join(folder, "private.pem");
  if (existsSync(path)) return;
  const pair = generateKeyPairSync("ed25519");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, "public.pem"), pair.publicKey.export({ type: "spki", format: "pem" }), { mode: 0o600 });
  writeFileSync(path, pair.privateKey.export({ type: "pkcs8", format: "pem" }), { mode: 0o600 });
}

/** Makes the pair in `folder` when there is none, and signs a licence with it. */
export function mintLicense(folder: string, { edition, organisation, days }: Order): string {
  const nowMs = Date.now();
  const payload = Buffer.from(
    JSON.stringify({
      id: randomUUID(),
      organisation,
      edition,
      issued_at: new Date(nowMs + Math.min(days, 0) * DAY_MS).toISOString(),
      expires_at: new Date(nowMs + days * DAY_MS).toISOString(),
    }),
  );
  return `${payload.toString("base64url")}.${sign(null, payload, privateKey(folder)).toString("base64url")}`;
}

function privateKey(folder: string): KeyObject {
  makePair(folder);
  return createPrivateKey(readFileSync(join(folder, "private.pem"), "utf8"));
}

function readOrder(): Order {
  const { values } = parseArgs({
    options: {
      edition: { type: "string" },
      organisation: { type: "string", default: "This checkout" },
      days: { type: "string", default: "365" },
    },
  });
  if (values.edition !== "personal" && values.edition !== "pro") throw new Error("--edition is personal or pro");
  if (!/^-?\d{1,5}$/.test(values.days)) throw new Error("--days is a whole number; negative for an expired licence, as --days=-20");
  return { edition: values.edition, organisation: values.organisation, days: Number(values.days) };
}

if (import.meta.main) {
  try {
    const order = readOrder();
    console.log(mintLicense(LICENSES, order));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 2;
  }
}
