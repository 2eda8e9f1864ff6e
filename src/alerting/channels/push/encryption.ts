import { createCipheriv, createECDH, type ECDH, hkdfSync, randomBytes } from "node:crypto";

/** The keys of a browser's subscription, as its push messages are encrypted for. */
export interface ReceiverKeys {
  /** Its point on P-256, uncompressed: 65 bytes. */
  publicKey: Buffer;
  /** The secret that it shares with whoever may send to it: 16 bytes. */
  authSecret: Buffer;
}

/** The random parts of a message; tests give those of the RFC. */
export interface MessageKeys {
  sender: ECDH;
  salt: Buffer;
}

const CURVE = "prime256v1";
const RECORD_SIZE = 4096;
/** Ends the only record of a message. Source: RFC 8188, section 2. */
const LAST_RECORD = Buffer.of(2);
const TAG_LENGTH = 16;
const HEADER_LENGTH = 16 + 4 + 1 + 65;

/** More than this many bytes no push service has to take. Source: RFC 8291, section 4. */
export const LONGEST_PLAINTEXT = RECORD_SIZE - HEADER_LENGTH - LAST_RECORD.length - TAG_LENGTH;

/** Whether it is a point on the curve, as a browser gives it. */
export function isPublicKey(key: Buffer): boolean {
  try {
    if (key.length !== 65 || key[0] !== 4) return false;
    const probe = createECDH(CURVE);
    probe.generateKeys();
    probe.computeSecret(key);
    return true;
  } catch {
    return false;
  }
}

function newMessageKeys(): MessageKeys {
  const sender = createECDH(CURVE);
  sender.generateKeys();
  return { sender, salt: randomBytes(16) };
}

/**
 * A message that only the browser of these keys can read, as the body of a request with the content coding `aes128gcm`. Throws when it is
 * longer than {@link LONGEST_PLAINTEXT}. Source: RFC 8291, sections 3 and 4; RFC 8188.
 */
export function encryptPush(
  plaintext: Buffer,
  { publicKey, authSecret }: ReceiverKeys,
  { sender, salt }: MessageKeys = newMessageKeys(),
): Buffer {
  if (plaintext.length > LONGEST_PLAINTEXT) throw new RangeError(`a push message of ${plaintext.length} bytes is too long`);
  const senderKey = sender.getPublicKey();
  const keyInfo = Buffer.concat([Buffer.from("WebPush: info\0"), publicKey, senderKey]);
  const inputKey = derive(sender.computeSecret(publicKey), authSecret, keyInfo, 32);
  const contentKey = derive(inputKey, salt, Buffer.from("Content-Encoding: aes128gcm\0"), 16);
  const nonce = derive(inputKey, salt, Buffer.from("Content-Encoding: nonce\0"), 12);
  const cipher = createCipheriv("aes-128-gcm", contentKey, nonce);
  const record = Buffer.concat([cipher.update(plaintext), cipher.update(LAST_RECORD), cipher.final(), cipher.getAuthTag()]);
  const sizes = Buffer.alloc(5);
  sizes.writeUInt32BE(RECORD_SIZE);
  sizes.writeUInt8(senderKey.length, 4);
  return Buffer.concat([salt, sizes, senderKey, record]);
}

function derive(key: Buffer, salt: Buffer, info: Buffer, length: number): Buffer {
  return Buffer.from(hkdfSync("sha256", key, salt, info, length));
}
