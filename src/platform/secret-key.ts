const KEY_BYTES = 32;

/** The 32 bytes of a key, from 64 hexadecimal digits or base64 in either alphabet; undefined when the text is neither. */
export function parseSecretKey(text: string): Buffer | undefined {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, "hex");
  if (!/^[\w+/-]{43}=?$/.test(text)) return undefined;
  const key = Buffer.from(text, "base64");
  return key.length === KEY_BYTES ? key : undefined;
}
