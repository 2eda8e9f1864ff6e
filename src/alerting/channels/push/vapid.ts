import { createECDH, createPrivateKey, type KeyObject, sign } from "node:crypto";

/** The pair of keys by which push services know this server again. */
export interface VapidKeys {
  /** base64url of the uncompressed point, as browsers ask for it when they subscribe. */
  publicKey: string;
  /** base64url of the scalar. */
  privateKey: string;
}

/** What a push service is told of a sender. */
export interface VapidClaims {
  /** The origin of the push service. */
  aud: string;
  /** Seconds since 1970; at most a day ahead. */
  exp: number;
  /** How to reach whoever runs this server: mailto: or https:. */
  sub: string;
}

const HEADER = base64url({ typ: "JWT", alg: "ES256" });

export function newVapidKeys(): VapidKeys {
  const pair = createECDH("prime256v1");
  pair.generateKeys();
  return { publicKey: pair.getPublicKey("base64url"), privateKey: pair.getPrivateKey("base64url") };
}

/** The value of `Authorization`. Source: RFC 8292, sections 2 and 3. */
export function vapidAuthorization(claims: VapidClaims, keys: VapidKeys): string {
  const signed = `${HEADER}.${base64url(claims)}`;
  const signature = sign("sha256", Buffer.from(signed), { key: privateKeyOf(keys), dsaEncoding: "ieee-p1363" });
  return `vapid t=${signed}.${signature.toString("base64url")}, k=${keys.publicKey}`;
}

function privateKeyOf({ publicKey, privateKey }: VapidKeys): KeyObject {
  const point = Buffer.from(publicKey, "base64url");
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString("base64url"));
  // A scalar may begin with zeros, which a key in this form must have.
  const d = Buffer.concat([Buffer.alloc(32), Buffer.from(privateKey, "base64url")])
    .subarray(-32)
    .toString("base64url");
  return createPrivateKey({ key: { kty: "EC", crv: "P-256", x: x ?? "", y: y ?? "", d }, format: "jwk" });
}

function base64url(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}
