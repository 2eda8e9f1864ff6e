import { DAY_MS } from "../../src/contract/time.ts";
import type { Authority, Identity, Order } from "./tls-authority.ts";

/** Every kind of TLS peer that a monitor meets. */
export const ANIMALS = [
  "good",
  "stapled",
  "expiring",
  "expired",
  "notYetValid",
  "wrongHost",
  "missingIntermediate",
  "wrongOrder",
  "selfSigned",
  "unknownRoot",
  "expiredIntermediate",
  "expiredRoot",
  "notCa",
  "impostor",
  "pathTooLong",
  "clientOnly",
  "forbiddenName",
  "sha1",
  "weakKey",
  "revoked",
  "forgedStaple",
  "ipSan",
  "wildcard",
  "idn",
] as const;
export type Animal = (typeof ANIMALS)[number];

/** What a server shows: its key, its certificates in the order in which they are sent, and perhaps a stapled response. */
export interface Cage {
  key: string;
  certs: string[];
  staple?: Buffer;
}

export interface Breeder {
  rootPem: string;
  breed(animal: Animal): Promise<Cage>;
  /** What it should have been all along. */
  renewed(animal: Animal, days: number): Promise<Cage>;
  /** Where it is found, and under which name. */
  address(animal: Animal): { domain: string; serverName: string };
}

const CA = ["basicConstraints = critical,CA:true", "keyUsage = critical,keyCertSign,cRLSign", "subjectKeyIdentifier = hash"];
const INTERMEDIATE = [...CA, "authorityKeyIdentifier = keyid"];
const LEAF = ["basicConstraints = CA:false", "keyUsage = critical,digitalSignature", "extendedKeyUsage = serverAuth"];

const NAMES: Partial<Record<Animal, string>> = {
  wrongHost: "DNS:elsewhere.test,DNS:*.elsewhere.test",
  ipSan: "IP:127.0.0.1",
  wildcard: "DNS:*.zoo.test",
  idn: "DNS:xn--mnchen-3ya.test",
};
const NAMES_SENT: Partial<Record<Animal, string>> = { ipSan: "127.0.0.1", wildcard: "lion.zoo.test", idn: "xn--mnchen-3ya.test" };
const LOCALHOST = "DNS:localhost,IP:127.0.0.1,IP:::1";

export async function createBreeder(authority: Authority): Promise<Breeder> {
  const day = (days: number): Date => new Date(Date.now() + days * DAY_MS);
  const issue = (order: Partial<Order> & Pick<Order, "name" | "extensions">): Promise<Identity> =>
    authority.issue({ from: day(-300), until: day(3000), ...order });
  const leaf = (animal: Animal, issuer: Identity | undefined, order: Partial<Order> = {}): Promise<Identity> =>
    authority.issue({
      name: animal,
      ...(issuer === undefined ? {} : { issuer }),
      from: day(-2),
      until: day(90),
      extensions: [...LEAF, `subjectAltName = ${NAMES[animal] ?? LOCALHOST}`],
      ...order,
    });
  const show = (own: Identity, ...above: Identity[]): Cage => ({ key: own.key, certs: [own.cert, ...above.map(({ cert }) => cert)] });

  const root = await issue({ name: "Zoo Root", extensions: CA });
  const intermediate = await issue({ name: "Zoo Intermediate", issuer: root, extensions: INTERMEDIATE });
  const plain = async (animal: Animal, order: Partial<Order> = {}): Promise<Cage> =>
    show(await leaf(animal, intermediate, order), intermediate);
  const stapled = async (animal: Animal, responder: Identity, revoked: boolean): Promise<Cage> => {
    const own = await leaf(animal, intermediate);
    return { ...show(own, intermediate), staple: await authority.staple({ cert: own, issuer: intermediate, responder, revoked }) };
  };
  const responder = (issuer: Identity): Promise<Identity> =>
    issue({ name: `${issuer.name} Responder`, issuer, extensions: ["basicConstraints = CA:false", "extendedKeyUsage = OCSPSigning"] });

  const special: Partial<Record<Animal, () => Promise<Cage>>> = {
    stapled: () => stapled("stapled", intermediate, false),
    expiring: () => plain("expiring", { until: day(5) }),
    expired: () => plain("expired", { from: day(-91), until: day(-1) }),
    notYetValid: () => plain("notYetValid", { from: day(2) }),
    missingIntermediate: async () =>
      show(
        await leaf("missingIntermediate", intermediate, {
          extensions: [...LEAF, `subjectAltName = ${LOCALHOST}`, "authorityInfoAccess = caIssuers;URI:http://ca.zoo.test/intermediate.der"],
        }),
      ),
    wrongOrder: async () => show(await leaf("wrongOrder", intermediate), root, intermediate),
    selfSigned: async () => show(await leaf("selfSigned", undefined, { subject: "localhost" })),
    async unknownRoot() {
      const stranger = await issue({ name: "Strange Root", extensions: CA });
      const own = await issue({ name: "Strange Intermediate", issuer: stranger, extensions: INTERMEDIATE });
      return show(await leaf("unknownRoot", own), own);
    },
    async expiredIntermediate() {
      const old = await issue({ name: "Old Intermediate", issuer: root, extensions: INTERMEDIATE, until: day(-10) });
      return show(await leaf("expiredIntermediate", old), old);
    },
    // The root once was signed by an older one that has expired; a client that knows the root itself needs neither.
    async expiredRoot() {
      const old = await issue({ name: "Old Root", extensions: CA, until: day(-10) });
      const cross = await issue({ name: "Zoo Root", issuer: old, extensions: INTERMEDIATE, keyOf: root });
      return show(await leaf("expiredRoot", intermediate), intermediate, cross, old);
    },
    async notCa() {
      const server = await leaf("good", intermediate, { subject: "Zoo Server" });
      return show(await leaf("notCa", server), server, intermediate);
    },
    async impostor() {
      const impostor = await issue({ name: "Zoo Impostor", subject: "Zoo Intermediate", extensions: CA });
      return show(await leaf("impostor", impostor), intermediate);
    },
    async pathTooLong() {
      const upper = await issue({
        name: "Short Intermediate",
        issuer: root,
        extensions: [...INTERMEDIATE.slice(1), "basicConstraints = critical,CA:true,pathlen:0"],
      });
      const lower = await issue({ name: "Lower Intermediate", issuer: upper, extensions: INTERMEDIATE });
      return show(await leaf("pathTooLong", lower), lower, upper);
    },
    clientOnly: () => plain("clientOnly", { extensions: ["extendedKeyUsage = clientAuth", `subjectAltName = ${LOCALHOST}`] }),
    async forbiddenName() {
      const limited = await issue({
        name: "Limited Intermediate",
        issuer: root,
        extensions: [...INTERMEDIATE, "nameConstraints = critical,permitted;DNS:elsewhere.test"],
      });
      return show(await leaf("forbiddenName", limited), limited);
    },
    sha1: () => plain("sha1", { digest: "sha1" }),
    weakKey: () => plain("weakKey", { key: ["rsa:1024"] }),
    revoked: async () => stapled("revoked", await responder(intermediate), true),
    forgedStaple: async () => stapled("forgedStaple", await responder(root), false),
  };

  return {
    rootPem: root.cert,
    breed: (animal) => special[animal]?.() ?? plain(animal),
    async renewed(animal, days) {
      const names = animal === "wrongHost" ? LOCALHOST : (NAMES[animal] ?? LOCALHOST);
      return plain(animal, { until: day(days), extensions: [...LEAF, `subjectAltName = ${names}`] });
    },
    address(animal) {
      const serverName = NAMES_SENT[animal] ?? "localhost";
      return { domain: serverName === "localhost" ? "localhost" : "127.0.0.1", serverName };
    },
  };
}
