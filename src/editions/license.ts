import { createPublicKey, verify } from "node:crypto";
import { z } from "zod";
import { DAY_MS } from "../contract/time.ts";
import { EDITIONS, type Edition } from "./edition.ts";

/** What a licence key says. Source: contract, section 14. */
const licenseSchema = z.object({
  id: z.string().min(1).max(128),
  organisation: z.string().min(1).max(256),
  edition: z.enum(EDITIONS, { error: "names an edition that this build does not know" }),
  issued_at: z.iso.datetime({ offset: true }),
  expires_at: z.iso.datetime({ offset: true }),
  updates_until: z.iso.datetime({ offset: true }).optional(),
});

export interface License {
  id: string;
  organisation: string;
  edition: Edition;
  issuedAt: Date;
  expiresAt: Date;
  /** Builds released later than this are not covered. */
  updatesUntil: Date | undefined;
}

export type LicenseStatus = "none" | "valid" | "grace" | "expired" | "invalid";

export interface Standing {
  edition: Edition;
  status: LicenseStatus;
  /** For a person: what is the matter, and until when; undefined when nothing is. */
  message: string | undefined;
}

const EXPIRY_GRACE_MS = 14 * DAY_MS;
const UPDATE_GRACE_MS = 30 * DAY_MS;
/** How far this host's clock may be behind the issuer's. */
const CLOCK_LEEWAY_MS = DAY_MS;
const LONGEST_KEY = 8192;

/** The licence in a key whose signature is the issuer's, else what is wrong with the key. */
export function readLicense(key: string, publicKeyPem: string | undefined): License | { fault: string } {
  if (publicKeyPem === undefined) return { fault: "This build carries no public key, so that it cannot verify a licence key." };
  if (key.length > LONGEST_KEY) return { fault: "The licence key is too long to be one." };
  const [body, signature, ...more] = key.trim().split(".");
  const payload = fromBase64Url(body);
  const signatureBytes = fromBase64Url(signature);
  if (payload === undefined || signatureBytes === undefined || more.length > 0) {
    return { fault: "The licence key is incomplete or mistyped: it is two parts of letters, digits, - and _ with a dot between." };
  }
  if (!verify(null, payload, createPublicKey(publicKeyPem), signatureBytes)) {
    return { fault: "The licence key was altered, or was issued for another build: its signature does not match." };
  }
  return readPayload(payload);
}

function readPayload(payload: Buffer): License | { fault: string } {
  const parsed = licenseSchema.safeParse(parseJson(payload.toString("utf8")));
  if (!parsed.success) {
    const faults = parsed.error.issues.map((issue) => `${issue.path.join(".")} ${issue.message}`.trim());
    return { fault: `The licence key is signed, but not understood: ${faults.join("; ")}.` };
  }
  const { id, organisation, edition, issued_at, expires_at, updates_until } = parsed.data;
  return {
    id,
    organisation,
    edition,
    issuedAt: new Date(issued_at),
    expiresAt: new Date(expires_at),
    updatesUntil: updates_until === undefined ? undefined : new Date(updates_until),
  };
}

/** Whether a licence covers a build of this date. */
export function coversBuild(license: License, builtAt: Date): boolean {
  return license.updatesUntil === undefined || builtAt <= license.updatesUntil;
}

/**
 * What a licence is worth at a moment. Expired it holds for 14 more days; for a build released after `updates_until` it holds
 * for 30 days from when that build first ran. The clock is believed as it stands, so that setting it right restores a licence.
 */
export function standingOf(
  license: License,
  { now, updateWindowOpenedAt }: { now: Date; updateWindowOpenedAt: Date | undefined },
): Standing {
  if (license.issuedAt.getTime() > now.getTime() + CLOCK_LEEWAY_MS) {
    const issued = license.issuedAt.toISOString().slice(0, 10);
    return community("invalid", `The licence was issued on ${issued}, which is in the future: check this host's clock.`);
  }
  const lapses = [
    now < license.expiresAt
      ? undefined
      : { what: `The licence expired on ${dayOf(license.expiresAt)}`, graceEnds: new Date(license.expiresAt.getTime() + EXPIRY_GRACE_MS) },
    updateWindowOpenedAt === undefined
      ? undefined
      : {
          what: "This build was released after the licence's last update",
          graceEnds: new Date(updateWindowOpenedAt.getTime() + UPDATE_GRACE_MS),
        },
  ].filter((lapse) => lapse !== undefined);
  const over = lapses.find(({ graceEnds }) => now >= graceEnds);
  if (over !== undefined) return community("expired", `${over.what}; the Community edition is in force until it is renewed.`);
  const [first] = lapses.toSorted((a, b) => a.graceEnds.getTime() - b.graceEnds.getTime());
  if (first === undefined) return { edition: license.edition, status: "valid", message: undefined };
  const message = `${first.what}; it keeps its edition until ${dayOf(first.graceEnds)}, then the Community edition is in force.`;
  return { edition: license.edition, status: "grace", message };
}

export function community(status: LicenseStatus, message?: string): Standing {
  return { edition: "community", status, message };
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}

/** Strict: Node's decoder would skip what is not base64url, and many texts would be one key. */
function fromBase64Url(text: string | undefined): Buffer | undefined {
  if (text === undefined || text === "") return undefined;
  const bytes = Buffer.from(text, "base64url");
  return bytes.toString("base64url") === text ? bytes : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
