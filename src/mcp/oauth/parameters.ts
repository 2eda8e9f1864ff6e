/** What the token and revocation endpoints refuse with, and its status. Source: RFC 6749, section 5.2; RFC 7009, section 2.2.1; RFC 8707, section 2. */
const STATUSES = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  invalid_scope: 400,
  invalid_target: 400,
  unsupported_grant_type: 400,
  temporarily_unavailable: 503,
} as const;

type FaultCode = keyof typeof STATUSES;

/** A refusal in OAuth's own words. It says the same of a token that was never given out and of one that has ended. */
export class OAuthFault extends Error {
  readonly code: FaultCode;

  constructor(code: FaultCode, message: string) {
    super(message);
    this.name = "OAuthFault";
    this.code = code;
  }

  get status(): number {
    return STATUSES[this.code];
  }
}

/** The parameters of a request. One without a value counts as left out. Source: RFC 6749, section 3.1. */
export interface Parameters {
  get(name: string): string | undefined;
  /** All values of one, for `resource`, which alone may stand there more than once. Source: RFC 8707, section 2. */
  all(name: string): readonly string[];
  /** Those that stand there more than once and must not. */
  readonly repeated: readonly string[];
}

const REPEATABLE: ReadonlySet<string> = new Set(["resource"]);
/** More than any request needs. The sender has not been authenticated yet. */
const MOST_PAIRS = 50;

/** Throws an OAuthFault when there are too many. */
export function readParameters(pairs: Iterable<readonly [name: string, value: string]>): Parameters {
  const values = new Map<string, string[]>();
  let count = 0;
  for (const [name, value] of pairs) {
    count += 1;
    if (count > MOST_PAIRS) throw tooMany();
    const known = values.get(name);
    if (known === undefined) values.set(name, [value]);
    else known.push(value);
  }
  const all = (name: string): string[] => values.get(name)?.filter((value) => value !== "") ?? [];
  return {
    get: (name) => all(name)[0],
    all,
    repeated: [...values].filter(([name, { length }]) => length > 1 && !REPEATABLE.has(name)).map(([name]) => name),
  };
}

/** Of a form as it was sent; one of too many parameters is not taken apart. Throws as {@link readParameters}. */
export function readForm(text: string): Parameters {
  if (text.split("&", MOST_PAIRS + 1).length > MOST_PAIRS) throw tooMany();
  return readParameters(new URLSearchParams(text));
}

/** Of a query as it was parsed: a name that stands there more than once has a list. */
export function readQuery(query: Readonly<Record<string, string | readonly string[] | undefined>>): Parameters {
  const pairs = Object.entries(query).flatMap(([name, value = []]) => [value].flat().map((each): [string, string] => [name, each]));
  return readParameters(pairs);
}

function tooMany(): OAuthFault {
  return new OAuthFault("invalid_request", `There are more than ${MOST_PAIRS} parameters.`);
}
