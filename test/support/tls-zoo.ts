import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CertificateTarget } from "../../src/observations.ts";
import { createAuthority } from "./tls-authority.ts";
import { type Animal, ANIMALS, type Cage, createBreeder } from "./tls-animals.ts";

export { type Animal, ANIMALS } from "./tls-animals.ts";

/** HTTPS servers on loopback, one for each animal; each answers `ok`, and `/to?URL` with a redirect. */
export interface TlsZoo {
  port(animal: Animal): number;
  /** What to scan: where it listens, and the name that its certificate should have. */
  target(animal: Animal): CertificateTarget;
  /** The root that all trust, but for `unknownRoot` and `selfSigned`; as text and as a file for SERVICE_CA_CERT. */
  rootPem: string;
  rootFile: string;
  /** Gives it a faultless certificate for so many days (90), as a renewal does. */
  renew(animal: Animal, options?: { days?: number }): Promise<void>;
  stop(): Promise<void>;
}

export interface TlsZooOptions {
  /** Where to listen. */
  host?: string;
  /** Fewer start faster. */
  only?: readonly Animal[];
}

export async function startTlsZoo({ host = "127.0.0.1", only = ANIMALS }: TlsZooOptions = {}): Promise<TlsZoo> {
  const folder = mkdtempSync(join(tmpdir(), "binnacle-tls-zoo-"));
  const breeder = await createBreeder(createAuthority(folder));
  const servers = new Map<Animal, { server: Server; port: number; live(cage: Cage): void }>();
  for (const animal of only) servers.set(animal, await house(await breeder.breed(animal), host));
  const rootFile = join(folder, "trusted.pem");
  writeFileSync(rootFile, breeder.rootPem);

  function of(animal: Animal): { server: Server; port: number; live(cage: Cage): void } {
    const found = servers.get(animal);
    if (found === undefined) throw new Error(`${animal} is not in this zoo`);
    return found;
  }

  return {
    port: (animal) => of(animal).port,
    target: (animal) => ({ ...breeder.address(animal), port: of(animal).port }),
    rootPem: breeder.rootPem,
    rootFile,
    async renew(animal, { days = 90 } = {}) {
      of(animal).live(await breeder.renewed(animal, days));
    },
    async stop() {
      for (const { server } of servers.values()) {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
      rmSync(folder, { recursive: true });
    },
  };
}

/** Serves what lives in the cage; old algorithms are allowed, since some animals have them. */
async function house(first: Cage, host: string): Promise<{ server: Server; port: number; live(cage: Cage): void }> {
  const context = ({ key, certs }: Cage) => ({ key, cert: certs.join("\n"), ciphers: "DEFAULT@SECLEVEL=0" });
  let cage = first;
  const server = createServer(context(cage), (request, response) => {
    const [, location] = /^\/to\?(.*)$/.exec(request.url ?? "") ?? [];
    if (location === undefined) response.end("ok");
    else response.writeHead(302, { location }).end();
  });
  server.on("OCSPRequest", (_certificate: Buffer, _issuer: Buffer, answer: (error: null, staple: Buffer | null) => void) =>
    answer(null, cage.staple ?? null),
  );
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("no port");
  return {
    server,
    port: address.port,
    live(next) {
      cage = next;
      server.setSecureContext(context(cage));
    },
  };
}
