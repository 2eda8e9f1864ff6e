import { domainToASCII } from "node:url";
import { SUBSCRIBER_BOUNDS } from "../../../contract/status-page.ts";

/** An address that mail can be sent to. */
export interface Address {
  /** As it was typed, but for its domain: ASCII, in lower case. */
  email: string;
  /** The same for each spelling of it. */
  key: string;
  /** The same for each address that leads to this box: without what follows a plus. */
  mailbox: string;
}

/** Source: RFC 5321, 4.5.3.1.1; RFC 5322, 3.2.3. */
const LOCAL_LENGTH = 64;
const LOCAL = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;
const DOMAIN = /^[\p{L}\p{M}\p{N}.-]+$/u;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Reads what somebody typed; answers the address, or what is wrong with it. */
export function readAddress(text: string): Address | { fault: string } {
  const typed = text.replace(/^ +| +$/g, "");
  if (typed === "") return { fault: "Must not be empty" };
  if (typed.length > SUBSCRIBER_BOUNDS.emailLength) return { fault: `Must not be longer than ${SUBSCRIBER_BOUNDS.emailLength} characters` };
  const at = typed.lastIndexOf("@");
  const local = typed.slice(0, Math.max(at, 0));
  const given = typed.slice(at + 1);
  if (at < 1 || given === "") return { fault: "Must be an e-mail address, such as ada@example.com" };
  if (local.length > LOCAL_LENGTH) return { fault: `Must not have more than ${LOCAL_LENGTH} characters before the @` };
  if (!LOCAL.test(local))
    return { fault: "Must have only emails from a to z, digits and !#$%&'*+-/=?^_`{|}~ before the @, and dots between them" };
  const domain = DOMAIN.test(given) ? domainToASCII(given.normalize("NFC")) : "";
  const labels = domain.split(".");
  const isName = labels.length > 1 && labels.every((label) => LABEL.test(label)) && !/^\d+$/.test(labels.at(-1) ?? "");
  if (!isName) return { fault: "Must have the name of a mail domain after the @, such as example.com" };
  const email = `${local}@${domain}`;
  if (email.length > SUBSCRIBER_BOUNDS.emailLength) return { fault: `Must not be longer than ${SUBSCRIBER_BOUNDS.emailLength} characters` };
  const key = email.toLowerCase();
  return { email, key, mailbox: key.replace(/\+[^@]*@/, "@") };
}
