/** One element of DER-encoded ASN.1. Source: ITU-T X.690. */
export interface Der {
  /** Class, construction and number in one byte: 0x30 is a SEQUENCE, 0xa0 an explicit [0]. */
  tag: number;
  /** The contents. */
  value: Buffer;
  /** The whole element, with tag and length. */
  raw: Buffer;
}

export const TAG = {
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  oid: 0x06,
  enumerated: 0x0a,
  generalizedTime: 0x18,
  sequence: 0x30,
};

/** The element at the beginning of the bytes. Throws when they are none. */
export function readDer(bytes: Buffer): Der {
  const tag = bytes[0];
  const first = bytes[1];
  if (tag === undefined || first === undefined || (tag & 0x1f) === 0x1f) throw malformed();
  const lengthBytes = first < 0x80 ? 0 : first - 0x80;
  // 0x80 is an indefinite length, which DER forbids; more than four bytes are larger than anything sent.
  if (first === 0x80 || lengthBytes > 4 || bytes.length < 2 + lengthBytes) throw malformed();
  const length = lengthBytes === 0 ? first : bytes.readUIntBE(2, lengthBytes);
  const start = 2 + lengthBytes;
  if (bytes.length < start + length) throw malformed();
  return { tag, value: bytes.subarray(start, start + length), raw: bytes.subarray(0, start + length) };
}

/** The elements inside of a constructed one. */
export function readChildren({ value }: Der): Der[] {
  const children: Der[] = [];
  for (let rest = value; rest.length > 0; rest = rest.subarray(children.at(-1)?.raw.length ?? rest.length)) children.push(readDer(rest));
  return children;
}

/** The element when it is there and has the tag. Throws otherwise. */
export function expectTag(element: Der | undefined, tag: number): Der {
  if (element?.tag !== tag) throw malformed();
  return element;
}

/** A dotted object identifier, such as `1.2.840.113549.1.1.11`. */
export function oidOf(element: Der | undefined): string {
  const { value } = expectTag(element, TAG.oid);
  const numbers: number[] = [];
  let number = 0;
  for (const byte of value) {
    number = number * 128 + (byte & 0x7f);
    if (byte >= 0x80) continue;
    if (numbers.length === 0) numbers.push(Math.min(Math.floor(number / 40), 2), number - Math.min(Math.floor(number / 40), 2) * 40);
    else numbers.push(number);
    number = 0;
  }
  return numbers.join(".");
}

/** A GeneralizedTime in UTC, as certificates and OCSP have them: YYYYMMDDHHMMSSZ. */
export function timeOf(element: Der | undefined): Date {
  const text = expectTag(element, TAG.generalizedTime).value.toString("latin1");
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:\.\d+)?Z$/.exec(text) ?? [];
  const time = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  if (Number.isNaN(time.getTime())) throw malformed();
  return time;
}

/** The bytes of a BIT STRING that is a whole number of bytes. */
export function bitsOf(element: Der | undefined): Buffer {
  const { value } = expectTag(element, TAG.bitString);
  if (value[0] !== 0) throw malformed();
  return value.subarray(1);
}

function malformed(): Error {
  return new Error("not well-formed DER");
}
