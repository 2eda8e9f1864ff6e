import type { Severity } from "../contract/alert.ts";
import type { CHECK_SETTINGS, HTTP_SETTINGS, SettingsOf } from "../contract/check-settings.ts";
import type { EndpointType } from "../contract/endpoint.ts";

export type { Severity } from "../contract/alert.ts";

/** How an endpoint is checked. Source: contract, sections 1 and 2. */
export interface EndpointCheck extends SettingsOf<typeof CHECK_SETTINGS> {
  type: EndpointType;
  /** A URL, or host:port. May hold credentials: never shown, stored or logged with them. */
  target: string;
  intervalMs: number;
  timeoutMs: number;
  /** null for TCP. */
  http: HttpCheck | null;
}

export interface HttpCheck extends SettingsOf<typeof HTTP_SETTINGS> {
  method: string;
  /** `200`, `204`, `3xx`: any of them is a success. */
  expectedStatus: string[];
  /** May hold credentials: shown masked. */
  headers: Record<string, string>;
}

/** An endpoint that labels of a container ask for; `labelKey` is the label that names its target. */
export interface LabelledEndpoint {
  labelKey: string;
  check: EndpointCheck;
}

/** A TLS peer whose certificate is watched. */
export interface CertificateTarget {
  domain: string;
  port: number;
  /** What is sent as SNI and held against the certificate; mostly the domain. */
  serverName: string;
}

/** What the `service.*` labels of a container ask for. Source: contract, section 1. */
export interface ContainerSettings {
  ignored: boolean;
  group: string | null;
  alertSeverity: Severity;
  alertChannels: string[];
  alertTags: string[];
  restartThreshold: number;
  /** How long it may be down before that is alerted; 0: for ever, null: as long as the program says. */
  downAfterMs: number | null;
  updates: UpdateSettings;
}

/** How much newer a tag may be to be offered; `digest` is the same tag with another content. */
export type UpdateTrack = "major" | "minor" | "patch" | "digest";

/** What is asked about newer images of a container. */
export interface UpdateSettings {
  enabled: boolean;
  /** null: every kind. */
  track: UpdateTrack | null;
  /** The tag it is to stay at. */
  pin: string | null;
  ignoreMajor: boolean;
  /** The registry to ask in place of the one in the image's name, as `host` or `host:port`. */
  registry: string | null;
  alertOn: "all" | "critical" | "none";
  /** Only the content of the image's present tag is compared. */
  digestOnly: boolean;
  /** Regular expressions in the syntax of RE2. */
  tagInclude: string | null;
  tagExclude: string | null;
}

/** What holds for a container without labels about updates. */
export const DEFAULT_UPDATE_SETTINGS: UpdateSettings = {
  enabled: true,
  track: null,
  pin: null,
  ignoreMajor: false,
  registry: null,
  alertOn: "all",
  digestOnly: false,
  tagInclude: null,
  tagExclude: null,
};

/** A label that was not understood. Monitoring continues with the default. */
export interface LabelError {
  label: string;
  message: string;
}
