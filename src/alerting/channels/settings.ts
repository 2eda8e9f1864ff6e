import type { Event } from "../../events.ts";
import { type Fault, ServiceError } from "../../platform/errors.ts";
import { LONGEST_URL, readOutboundUrl } from "../../platform/outbound-url.ts";
import type { ChannelRecord, RuleRecord } from "./answers.ts";
import type { CreateBody, UpdateBody } from "./api.ts";
import type { ChannelSettings, SavedChannel, Rule } from "./channel.ts";
import { type Kind, MASKED } from "./kinds/kind.ts";
import { KINDS } from "./kinds/kinds.ts";
import { type Headers, readHeaders, maskHeaders, unmaskHeaders } from "./headers.ts";

/**
 * Applies the fields of a body to the settings before; masked and omitted secrets stay as they were. Throws `unusable_values` with all faults, or
 * `https_required` and `private_address_refused` when that is the only one.
 */
export function completeSettings(
  body: CreateBody | UpdateBody,
  before: ChannelSettings | undefined,
  allowPrivate: boolean,
): ChannelSettings {
  const type = before?.type ?? body.type;
  const name = body.name ?? before?.name;
  if (type === undefined || name === undefined) throw new TypeError("a channel needs a name and a type");
  const kind = KINDS[type];
  const faults: Fault[] = [];
  if (body.type !== undefined && body.type !== type) faults.push({ path: "type", message: "Cannot be changed; make another channel" });

  const address = addressOf(kind, body.url, before, allowPrivate);
  if ("faults" in address) faults.push(...address.faults);
  const leadsElsewhere =
    before !== undefined && before.url !== "" && "url" in address && originOf(address.url.href) !== originOf(before.url);
  const headers = headersOf(kind, body, before, leadsElsewhere);
  if ("faults" in headers) faults.push(...headers.faults);

  if (faults.length > 0 || !("url" in address) || !("headers" in headers)) throw faulty(faults, address);
  return { name, type, url: address.url.href, headers: headers.headers, enabled: body.enabled ?? before?.enabled ?? true };
}

/** The address to use: the one before, unchecked, when it is masked or omitted, else the given one. */
function addressOf(kind: Kind, given: string | undefined, before: ChannelSettings | undefined, allowPrivate: boolean): Address {
  const kept = before === undefined ? null : URL.parse(before.url);
  if (kept !== null && (given === undefined || given === kept.href || given === kind.shown(kept))) return { url: kept };
  return readAddress(kind, given ?? "", allowPrivate);
}

type Address = { url: URL } | { faults: Fault[]; code: ServiceError["code"] };

function readAddress(kind: Kind, text: string, allowPrivate: boolean): Address {
  const bad = (message: string, code: ServiceError["code"] = "unusable_values"): Address => ({
    faults: [{ path: "url", message }],
    code,
  });
  if (text.includes(MASKED)) return bad("Is masked: give the whole address, or leave it as it was answered");
  if (kind.transport === "mail") {
    if (text.length > LONGEST_URL || /[\p{Cc}\p{Cf}\p{Z}#]/u.test(text))
      return bad("Must not contain spaces, line breaks or control characters");
    const url = URL.parse(text);
    if (url?.protocol !== "mailto:")
      return bad("Must be mailto: and addresses with commas between, such as mailto:a@example.com,b@example.com");
    return checked(url);
  }
  const url = readOutboundUrl(text, { allowPrivate });
  return url instanceof URL ? checked(url) : bad(url.message, url.code);

  function checked(given: URL): Address {
    const faults = kind.validate(given);
    return faults.length === 0 ? { url: given } : { faults, code: "unusable_values" };
  }
}

/** Nobody who may change a channel must learn its secrets by sending them to another host: for another host they have to be given again. */
function headersOf(
  kind: Kind,
  { headers: text }: { headers?: string | null | undefined },
  before: ChannelSettings | undefined,
  leadsElsewhere: boolean,
): { headers: Headers } | { faults: Fault[] } {
  const known = leadsElsewhere ? {} : (before?.headers ?? {});
  if (text === undefined) {
    if (leadsElsewhere && Object.keys(before?.headers ?? {}).length > 0) {
      return { faults: [{ path: "headers", message: "Must be given again, because the address leads to another host" }] };
    }
    return { headers: known };
  }
  const given = readHeaders(text);
  if ("faults" in given) return given;
  if (!kind.takesHeaders && Object.keys(given.headers).length > 0) {
    return { faults: [{ path: "headers", message: `Must be empty: ${kind.title} channels have none` }] };
  }
  return unmaskHeaders(given.headers, known);
}

function faulty(faults: readonly Fault[], address: Address): ServiceError {
  const code = faults.length === 1 && "code" in address ? address.code : "unusable_values";
  const sentences = faults.slice(0, 5).map(({ path, message }) => `${path}: ${message}`);
  return new ServiceError(code, `The channel cannot be used: ${sentences.join("; ")}.`, faults);
}

/** A mailto: address has no origin. */
function originOf(url: string): string {
  return URL.parse(url)?.origin ?? "";
}

/** An address in the form that may be shown. */
function shownUrl(kind: Kind, text: string): string {
  const url = URL.parse(text);
  return url === null ? MASKED : kind.shown(url);
}

/** A channel in its JSON form, with its secrets masked. */
export function channelRecord(channel: SavedChannel): ChannelRecord {
  return {
    id: channel.id,
    name: channel.name,
    type: channel.type,
    url: shownUrl(KINDS[channel.type], channel.url),
    headers: maskHeaders(channel.headers),
    enabled: channel.enabled,
    health: channel.health,
    last_delivery_at: channel.lastDeliveryAt?.toISOString() ?? null,
    last_error: channel.lastError,
    rules: channel.rules.map(ruleRecord),
    created_at: channel.createdAt.toISOString(),
    updated_at: channel.updatedAt.toISOString(),
  };
}

export function ruleRecord({ id, source, severity, entityType, entityId }: Rule): RuleRecord {
  return { id, source, severity, entity_type: entityType, entity_id: entityId };
}

/** The data that every event about a channel has. */
export function channelData(channel: SavedChannel, at: Date): Event<"channel.created">["data"] {
  return {
    id: channel.id,
    agent_id: null,
    name: channel.name,
    channel_type: channel.type,
    enabled: channel.enabled,
    health: channel.health,
    last_delivery_at: channel.lastDeliveryAt?.toISOString() ?? null,
    timestamp: at.toISOString(),
  };
}
