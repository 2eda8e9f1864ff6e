import { isIP } from "node:net";
import { checkServerIdentity, type SecureContext, type TLSSocket } from "node:tls";
import { ChannelCredentials, Client, type ClientDuplexStream, credentials, type experimental, type Metadata } from "@grpc/grpc-js";
import { StartError, messageOf } from "../../platform/errors.ts";
import { cleanName } from "../../platform/text.ts";
import { fingerprintOf } from "../own-certificate.ts";
import {
  INGEST_SERVICE,
  MAX_MESSAGE_BYTES,
  type RegisterAgentRequest,
  type RegisterAgentResponse,
  type ServerMessage,
} from "../wire/index.ts";

/** After this time without a message, the server is pinged. */
const KEEPALIVE_MS = 20_000;
const KEEPALIVE_WITHIN_MS = 10_000;

/** The name in the TLS handshake when the server is a bare address, since SNI has only names. The certificate must still be valid for the address. */
const NAME_OF_ADDRESS = "localhost";

export type PushCall = ClientDuplexStream<Uint8Array, ServerMessage>;

/** One connection to the server. */
export interface Transport {
  /** Rejects with the error of gRPC; `signal` aborts it. */
  register(request: RegisterAgentRequest, signal: AbortSignal): Promise<RegisterAgentResponse>;
  push(): PushCall;
  /** Ends all calls. */
  close(): void;
}

export interface TransportOptions {
  server: ServerAddress;
  /** Which certificates are trusted; read for each connection. */
  trust: () => SecureContext;
  skipTlsVerify: boolean;
  /** The fingerprint of the only accepted server certificate, as `sha256:HEX`; then nothing else of it is checked. */
  serverFingerprint: string | undefined;
}

/** Opens a separate connection for each attempt, since this program schedules the attempts, not gRPC. Nothing is sent before the first call. */
export function openTransport({ server, trust, skipTlsVerify, serverFingerprint }: TransportOptions): Transport {
  const client = new Client(addressText(server), credentialsFor(), {
    "grpc.keepalive_time_ms": KEEPALIVE_MS,
    "grpc.keepalive_timeout_ms": KEEPALIVE_WITHIN_MS,
    "grpc.max_receive_message_length": MAX_MESSAGE_BYTES,
    "grpc.max_send_message_length": MAX_MESSAGE_BYTES,
    "grpc.use_local_subchannel_pool": 1,
    "grpc.enable_retries": 0,
    "grpc.service_config_disable_resolution": 1,
    ...(isIP(server.host) === 0 ? {} : { "grpc.ssl_target_name_override": NAME_OF_ADDRESS }),
  });

  function credentialsFor(): ChannelCredentials {
    if (server.isPlain) return credentials.createInsecure();
    if (serverFingerprint !== undefined) return new PinnedCredentials(serverFingerprint, trust());
    return credentials.createFromSecureContext(trust(), {
      rejectUnauthorized: !skipTlsVerify,
      checkServerIdentity: (_name, certificate) => checkServerIdentity(server.host, certificate),
    });
  }

  return {
    register(request, signal) {
      const { path, requestSerialize, responseDeserialize } = INGEST_SERVICE.registerAgent;
      return new Promise((resolve, reject) => {
        const call = client.makeUnaryRequest(path, requestSerialize, responseDeserialize, request, (error, response) => {
          if (error === null && response !== undefined) resolve(response);
          else reject(error ?? new Error("the server answered nothing"));
        });
        const giveUp = (): void => call.cancel();
        if (signal.aborted) giveUp();
        else signal.addEventListener("abort", giveUp, { once: true });
      });
    },
    push() {
      const { path, requestSerialize, responseDeserialize } = INGEST_SERVICE.push;
      return client.makeBidiStreamRequest(path, requestSerialize, responseDeserialize);
    },
    close: () => client.close(),
  };
}

/**
 * Credentials that accept one certificate by its fingerprint: names, dates and authorities do not matter. The handshake proves that the server has
 * its key, and the connection is passed to HTTP/2 only after the comparison. It is made here because Node calls checkServerIdentity only for
 * certificates that it already trusts.
 */
class PinnedCredentials extends ChannelCredentials {
  readonly #fingerprint: string;
  readonly #unchecked: ChannelCredentials;

  constructor(fingerprint: string, trust: SecureContext) {
    super();
    this.#fingerprint = fingerprint;
    this.#unchecked = credentials.createFromSecureContext(trust, { rejectUnauthorized: false });
  }

  override _isSecure(): boolean {
    return true;
  }

  override _equals(other: ChannelCredentials): boolean {
    return other === this;
  }

  override _createSecureConnector(...target: Parameters<ChannelCredentials["_createSecureConnector"]>): experimental.SecureConnector {
    const connector = this.#unchecked._createSecureConnector(...target);
    return {
      connect: async (socket) => {
        // createFromSecureContext makes a TLS socket.
        const connection = await connector.connect(socket);
        const fault = this.#faultOf(connection.socket as TLSSocket);
        if (fault === undefined) return connection;
        connection.socket.destroy();
        throw new Error(fault);
      },
      waitForReady: () => connector.waitForReady(),
      getCallCredentials: () => connector.getCallCredentials(),
      destroy: () => connector.destroy(),
    };
  }

  #faultOf(socket: TLSSocket): string | undefined {
    const certificate = socket.getPeerX509Certificate();
    const seen = certificate === undefined ? "none" : fingerprintOf(certificate.raw);
    if (seen === this.#fingerprint) return undefined;
    return `the server's certificate has the fingerprint ${seen}, not ${this.#fingerprint}: it is another server, or its certificate was replaced. If that is known, set SERVICE_SERVER_FINGERPRINT to the new one`;
  }
}

/** The address of the server, from the option. */
export interface ServerAddress {
  readonly host: string;
  readonly port: number;
  /** HTTP/2 without TLS: `grpc://`. */
  readonly isPlain: boolean;
}

/** As `host:port`, with brackets around an IPv6 address. */
export function addressText({ host, port }: ServerAddress): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/**
 * Throws a StartError for a server to which tokens and logs would be sent unencrypted: without TLS it must be on this host, such as the end of a
 * tunnel, unless checks were switched off.
 */
export function refusePlaintext({ server, skipTlsVerify, serverFingerprint }: Omit<TransportOptions, "trust">): void {
  if (server.isPlain && serverFingerprint !== undefined)
    throw new StartError(
      `SERVICE_SERVER_FINGERPRINT: grpc://${addressText(server)} is without TLS and shows no certificate. Use grpcs://, or take the fingerprint away.`,
    );
  if (!server.isPlain || skipTlsVerify || isLoopback(server.host)) return;
  throw new StartError(
    `grpc://${addressText(server)} is without TLS, and would carry logs in the clear. Use grpcs://, or, for development only, give --grpc-insecure-skip-tls-verify too.`,
  );
}

function isLoopback(host: string): boolean {
  return host.toLowerCase() === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}

/** Why a call to the server failed, as reported by the server or the connection. */

export interface Refusal {
  /** The error code of the service; undefined for other failures, such as a broken connection. */
  code: string | undefined;
  /** A sentence for the log. */
  reason: string;
}

const CODE = /^[a-zA-Z_]{1,64}$/;
const LONGEST_REASON = 500;

/** Parses an error of gRPC. Text from the server is bounded and cleaned. */
export function refusalOf(error: unknown): Refusal {
  const { details, metadata } = partsOf(error);
  const [sent] = metadata?.get("service-code") ?? [];
  const code = typeof sent === "string" && CODE.test(sent) ? sent.replace("EDITION_REQUIRED", "edition_required") : undefined;
  return { code, reason: cleanName(plainly(details ?? messageOf(error)), LONGEST_REASON) };
}

/** Without the words that gRPC puts around the reason of a failed connection. */
function plainly(text: string): string {
  return text.replace(/^No connection established\. Last error: (?:Error: )?/, "").replace(/\.? Resolution note:\s*$/, ".");
}

function partsOf(error: unknown): { details?: string; metadata?: Metadata } {
  // Every error with which gRPC ends a call has these.
  return error instanceof Error ? (error as Error & { details?: string; metadata?: Metadata }) : {};
}
