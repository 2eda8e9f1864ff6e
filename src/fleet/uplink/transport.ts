import { isIP } from "node:net";
import { checkServerIdentity, type SecureContext } from "node:tls";
import { type ChannelCredentials, Client, type ClientDuplexStream, credentials } from "@grpc/grpc-js";
import {
  INGEST_SERVICE,
  MAX_MESSAGE_BYTES,
  type RegisterAgentRequest,
  type RegisterAgentResponse,
  type ServerMessage,
} from "../wire/index.ts";
import { PinnedCredentials } from "./pinned-credentials.ts";
import { addressText, type ServerAddress } from "./server-address.ts";

/** After so long without a word, the server is asked whether it is there. */
const KEEPALIVE_MS = 20_000;
const KEEPALIVE_WITHIN_MS = 10_000;

/** What is asked for in the TLS handshake with a bare address: SNI carries names alone. The certificate must be that of the address all the same. */
const NAME_OF_ADDRESS = "localhost";

export type PushCall = ClientDuplexStream<Uint8Array, ServerMessage>;

/** One connection to the server. */
export interface Transport {
  /** Rejects with the error of gRPC; `signal` gives it up. */
  register(request: RegisterAgentRequest, signal: AbortSignal): Promise<RegisterAgentResponse>;
  push(): PushCall;
  /** Ends what is under way. */
  close(): void;
}

export interface TransportOptions {
  server: ServerAddress;
  /** Whom to trust; asked at each connection. */
  trust: () => SecureContext;
  skipTlsVerify: boolean;
  /** Of the only certificate that the server may have, as `sha256:HEX`; then nothing else of it is checked. */
  serverFingerprint: string | undefined;
}

/** A connection of its own for each attempt: the schedule of attempts is ours, not that of gRPC. Nothing is sent before the first call. */
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
