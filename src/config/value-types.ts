import { parseDuration } from "../platform/durations.ts";
import { StartError } from "../platform/errors.ts";
import { Secret } from "./secret.ts";

/** One option of the program. */
export interface Option<Value = unknown> {
  flag: `--${string}`;
  /** The variable without its prefix. */
  env: string;
  type: ValueType<Value>;
  /** Parsed as if it had been given. */
  default?: string;
  /** What holds when nothing is given and there is no fixed default. */
  otherwise?: string;
  help: string;
}

/** How the text of a flag or variable becomes a value. */
export interface ValueType<Value> {
  /** As help writes it after the flag: `HOST:PORT`. */
  readonly name: string;
  /** Its text is never repeated in a message, and may also come from a file. */
  readonly secret?: true;
  /** The flag alone means true. */
  readonly toggle?: true;
  /** Throws a StartError that says what the text should have been. */
  parse(text: string): Value;
}

export const text: ValueType<string> = { name: "TEXT", parse: (given) => given };

export const path: ValueType<string> = { name: "PATH", parse: (given) => given };

export const toggle: ValueType<boolean> = {
  name: "true|false",
  toggle: true,
  parse(given) {
    if (/^(true|1|yes|on)$/i.test(given)) return true;
    if (/^(false|0|no|off)$/i.test(given)) return false;
    throw new StartError(`${quote(given)} is neither true nor false`);
  },
};

export function integer({ min, max }: { min: number; max: number }): ValueType<number> {
  return {
    name: "NUMBER",
    parse(given) {
      const value = /^\d{1,15}$/.test(given) ? Number(given) : Number.NaN;
      if (!(value >= min && value <= max)) throw new StartError(`${quote(given)} is not a whole number from ${min} to ${max}`);
      return value;
    },
  };
}

/** A size: a number of bytes, or with a unit, `512K`, `1MB`, `2GiB`; all units are powers of 1024. */
export function bytes({ min, max }: { min: number; max: number }): ValueType<number> {
  return {
    name: "BYTES",
    parse(given) {
      const [, digits, unit = ""] = /^(\d{1,15})\s*([kmg]?)(?:i?b)?$/i.exec(given) ?? [];
      const value = digits === undefined ? Number.NaN : Number(digits) * 1024 ** ["", "k", "m", "g"].indexOf(unit.toLowerCase());
      if (!(value >= min && value <= max)) throw new StartError(`${quote(given)} is not a size from ${min} to ${max} bytes`);
      return value;
    },
  };
}

/** A duration in Go's format, such as `90s` or `48h`, as milliseconds. */
export function duration({ min, max }: { min: string; max: string }): ValueType<number> {
  return {
    name: "DURATION",
    parse(given) {
      const value = parseDuration(given) ?? Number.NaN;
      if (!(value >= (parseDuration(min) ?? 0) && value <= (parseDuration(max) ?? Infinity)))
        throw new StartError(`${quote(given)} is not a duration from ${min} to ${max}, such as 48h or 1h30m`);
      return value;
    },
  };
}

/** The same, or `off`: null. */
export function durationOrOff(bounds: { min: string; max: string }): ValueType<number | null> {
  const type = duration(bounds);
  return { name: "DURATION|off", parse: (given) => (given.toLowerCase() === "off" ? null : type.parse(given)) };
}

export function choice<const Choice extends string>(choices: readonly Choice[]): ValueType<Choice> {
  return {
    name: choices.join("|"),
    parse(given) {
      const match = choices.find((each) => each === given.toLowerCase());
      if (match === undefined) throw new StartError(`${quote(given)} is not one of ${choices.join(", ")}`);
      return match;
    },
  };
}

/** The name of a namespace of Kubernetes. Source: RFC 1123, a label. */
export const namespace = textLike(
  /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/,
  "NAMESPACE",
  (given) => `${quote(given)} is not the name of a namespace`,
);

/** A bearer token, long enough not to be guessed. */
export const accessToken = textLike(/^[\x21-\x7e]{16,512}$/, "TOKEN", () => "must have 16 to 512 printable ASCII characters and no spaces");

/** A client's id or secret. Source: RFC 6749, appendix A. */
export const clientCredential = textLike(/^[\x20-\x7e]{1,512}$/, "TEXT", () => "must have 1 to 512 printable ASCII characters");

/** A secret that is not guessed at the rate at which the program answers. */
export const longCredential = textLike(/^[\x20-\x7e]{16,512}$/, "TEXT", () => "must have 16 to 512 printable ASCII characters");

/** A text of one form, kept as it is written. */
export function textLike(form: RegExp, name: string, fault: (given: string) => string): ValueType<string> {
  return {
    name,
    parse(given) {
      if (!form.test(given)) throw new StartError(fault(given));
      return given;
    },
  };
}

/** The SHA-256 of a certificate, `sha256:` and 64 hexadecimal digits, with or without colons between them as openssl writes it. */
export const fingerprint: ValueType<string> = {
  name: "sha256:HEX",
  parse(given) {
    const digits = /^sha256:([0-9a-f:]+)$/i.exec(given)?.[1]?.replaceAll(":", "").toLowerCase() ?? "";
    if (digits.length !== 64) throw new StartError(`${quote(given)} is not sha256: and 64 hexadecimal digits`);
    return `sha256:${digits}`;
  },
};

/** How an agent is called. Source: specification, Limits. */
export const agentLabel: ValueType<string> = {
  name: "TEXT",
  parse(given) {
    if ([...given].length > 64 || /\p{Cc}/u.test(given)) throw new StartError("must have at most 64 characters, and no control characters");
    return given;
  },
};

export function list<Item>(item: ValueType<Item>): ValueType<readonly Item[]> {
  return {
    name: `${item.name},...`,
    parse: (given) =>
      given
        .split(",")
        .map((part) => part.trim())
        .filter((part) => part !== "")
        .map((part) => item.parse(part)),
  };
}

export function secret(type: ValueType<string>): ValueType<Secret> {
  return { name: type.name, secret: true, parse: (given) => new Secret(type.parse(given)) };
}

/** As messages repeat what was given. */
export function quote(given: string): string {
  return JSON.stringify(given.length > 80 ? `${given.slice(0, 79)}…` : given);
}
