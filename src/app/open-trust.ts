import { createTrust, type Trust } from "../collector/tls/trust.ts";
import type { Config } from "../config/config.ts";
import { readBoundedFile } from "../platform/files.ts";
import { messageOf, StartError } from "../platform/errors.ts";

const LARGEST_FILE = 4 * 1024 * 1024;

/** Whom checks trust: the roots of the system, and those of SERVICE_CA_CERT. Throws a StartError when that file cannot be used. */
export function openTrust({ caCert }: Pick<Config, "caCert">): Trust {
  try {
    return createTrust({ extraRootsPem: caCert === undefined ? undefined : readBoundedFile(caCert, LARGEST_FILE) });
  } catch (error) {
    throw new StartError(`The file ${caCert} of SERVICE_CA_CERT cannot be used: ${messageOf(error)}.`, { cause: error });
  }
}
