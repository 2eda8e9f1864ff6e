import type { SecureContext, TLSSocket } from "node:tls";
import { ChannelCredentials, credentials, type experimental } from "@grpc/grpc-js";
import { fingerprintOf } from "../certificate/index.ts";

/**
 * Credentials that believe one certificate, by its fingerprint alone: neither names, dates nor authorities matter. The handshake proves that the
 * server has its key, and a connection is given to HTTP/2 only after the comparison. Node asks checkServerIdentity only about certificates
 * that it trusts already, so the comparison is made here.
 */
export class PinnedCredentials extends ChannelCredentials {
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
        // That of createFromSecureContext is a TLS socket.
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
