import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** A certificate with its key, as files and as text. */
export interface Identity {
  /** As in its file names and, by default, its subject. */
  name: string;
  certFile: string;
  keyFile: string;
  cert: string;
  key: string;
}

export interface Order {
  name: string;
  /** Common name, when it is not the name. */
  subject?: string;
  /** Who signs; itself when absent. */
  issuer?: Identity;
  from: Date;
  until: Date;
  /** Lines of an openssl extension section. */
  extensions: string[];
  /** As openssl's -newkey and -pkeyopt take it. */
  key?: string[];
  /** Takes over this one's key. */
  keyOf?: Identity;
  digest?: string;
}

/** Makes certificates of every kind with openssl, in a folder. One at a time. */
export interface Authority {
  issue(order: Order): Promise<Identity>;
  /** A response to be stapled: what `responder` says of the certificate, valid for a week. */
  staple(facts: { cert: Identity; issuer: Identity; responder: Identity; revoked: boolean }): Promise<Buffer>;
}

const EC = ["ec", "-pkeyopt", "ec_paramgen_curve:P-256"];

export function createAuthority(folder: string): Authority {
  let count = 0;
  const file = (name: string): string => join(folder, name);
  const openssl = async (...args: string[]): Promise<string> => (await run("openssl", args, { cwd: folder })).stdout;

  return {
    async issue({ name, subject = name, issuer, from, until, extensions, key = EC, keyOf, digest = "sha256" }) {
      const id = `${name}-${count++}`;
      const keyFile = keyOf?.keyFile ?? file(`${id}.key`);
      await writeFile(file("conf"), config(extensions));
      await openssl(
        ...["req", "-new", "-config", "conf", "-subj", `/O=Binnacle Zoo/CN=${subject}`, "-out", `${id}.csr`],
        ...(keyOf === undefined ? ["-newkey", ...key, "-nodes", "-keyout", keyFile] : ["-key", keyFile]),
      );
      await writeFile(file("index"), "");
      await openssl(
        ...["ca", "-batch", "-config", "conf", "-in", `${id}.csr`, "-out", `${id}.pem`, "-notext", "-rand_serial", "-md", digest],
        ...["-startdate", asn1Time(from), "-enddate", asn1Time(until), "-extensions", "ext"],
        ...(issuer === undefined ? ["-selfsign", "-keyfile", keyFile] : ["-cert", issuer.certFile, "-keyfile", issuer.keyFile]),
      );
      const certFile = file(`${id}.pem`);
      return { name, certFile, keyFile, cert: await readFile(certFile, "utf8"), key: await readFile(keyFile, "utf8") };
    },
    async staple({ cert, issuer, responder, revoked }) {
      const serial = (await openssl("x509", "-in", cert.certFile, "-noout", "-serial")).trim().replace("serial=", "");
      const status = revoked ? `R\t491231235959Z\t${asn1Time(new Date(Date.now() - 3_600_000)).slice(2)}` : "V\t491231235959Z\t";
      await writeFile(file("index"), `${status}\t${serial}\tunknown\t/CN=${cert.name}\n`);
      await openssl("ocsp", "-issuer", issuer.certFile, "-cert", cert.certFile, "-no_nonce", "-reqout", "request.der");
      await openssl(
        ...["ocsp", "-index", "index", "-CA", issuer.certFile, "-rsigner", responder.certFile, "-rkey", responder.keyFile],
        ...["-reqin", "request.der", "-respout", "response.der", "-ndays", "7"],
      );
      return readFile(file("response.der"));
    },
  };
}

function config(extensions: readonly string[]): string {
  return `
[ca]
default_ca = zoo
[zoo]
database = index
serial = serial
new_certs_dir = .
policy = policy
unique_subject = no
copy_extensions = none
[policy]
commonName = supplied
organizationName = optional
[req]
distinguished_name = dn
string_mask = utf8only
[dn]
[ext]
${extensions.join("\n")}
`;
}

/** YYYYMMDDHHMMSSZ. */
function asn1Time(time: Date): string {
  return time.toISOString().replace(/\.\d+|[-:T]/g, "");
}
