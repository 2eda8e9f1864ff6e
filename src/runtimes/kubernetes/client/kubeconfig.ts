import { dirname, isAbsolute, join } from "node:path";
import { parseDocument } from "yaml";
import { z } from "zod";
import { capitalise } from "../../../contract/words.ts";
import { StartError } from "../../../platform/errors.ts";
import { flag, listOf, text } from "../../json.ts";
import { type ClusterAccess, type ClusterIdentity, type CredentialPlugin, type Material, NO_IDENTITY } from "./access.ts";

/** A kubeconfig as it is read; paths in it are from its own folder. */
export interface KubeconfigFile {
  path: string;
  config: Kubeconfig;
}

const cluster = z.object({
  server: text,
  "certificate-authority": text,
  "certificate-authority-data": text,
  "insecure-skip-tls-verify": flag,
  "tls-server-name": text,
  "proxy-url": text,
  extensions: listOf(z.object({ name: z.string(), extension: z.unknown() })),
});

const exec = z.object({
  apiVersion: text,
  command: z.string(),
  args: listOf(z.string()),
  env: listOf(z.object({ name: z.string(), value: z.string() })),
  installHint: text,
  provideClusterInfo: flag,
  interactiveMode: text,
});

const user = z.object({
  token: text,
  tokenFile: text,
  "client-certificate": text,
  "client-certificate-data": text,
  "client-key": text,
  "client-key-data": text,
  username: text,
  as: text,
  "auth-provider": z.object({ name: text }).nullish(),
  exec: exec.nullish(),
});

const kubeconfig = z.object({
  "current-context": text,
  clusters: listOf(z.object({ name: z.string(), cluster })),
  users: listOf(z.object({ name: z.string(), user: user.nullish() })),
  contexts: listOf(z.object({ name: z.string(), context: z.object({ cluster: text, user: text, namespace: text }) })),
});
type Kubeconfig = z.infer<typeof kubeconfig>;
type User = z.infer<typeof user>;
type Cluster = z.infer<typeof cluster>;

/** How often aliases of a document may repeat what they name. */
const MAX_ALIASES = 100;
const PLUGIN_VERSIONS = [
  "client.authentication.k8s.io/v1",
  "client.authentication.k8s.io/v1beta1",
  "client.authentication.k8s.io/v1alpha1",
];

/** Reads a kubeconfig, YAML or JSON. Throws a {@link StartError} that quotes nothing of it: it holds keys and tokens. */
export function parseKubeconfig(path: string, contents: string): KubeconfigFile {
  const parsed = kubeconfig.safeParse(parseYaml(path, contents) ?? {});
  if (parsed.success) return { path, config: parsed.data };
  const fault = parsed.error.issues[0];
  throw new StartError(`The kubeconfig ${path} is not understood: ${fault?.path.join(".")}: ${fault?.message}.`);
}

function parseYaml(path: string, contents: string): unknown {
  try {
    const document = parseDocument(contents, { prettyErrors: false });
    const [fault] = document.errors;
    if (fault === undefined) return document.toJS({ maxAliasCount: MAX_ALIASES });
    const line = contents.slice(0, fault.pos[0]).split("\n").length;
    throw new StartError(`The kubeconfig ${path} is no YAML: see line ${line} (${fault.code}).`);
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`The kubeconfig ${path} is no usable YAML.`);
  }
}

/**
 * What a context of several files leads to. As with kubectl, the first file that has a name decides what it means, and the first that names a current
 * context decides which that is. Throws a {@link StartError} for what is missing, or what this client does not do.
 */
export function accessOfContext(
  files: readonly KubeconfigFile[],
  {
    context: wanted,
    variables = {},
  }: { context?: string | undefined; variables?: Readonly<Record<string, string | undefined>> | undefined } = {},
): ClusterAccess {
  const where = files.map(({ path }) => path).join(", ");
  const name = wanted || files.map(({ config }) => config["current-context"]).find(Boolean);
  if (name === undefined)
    throw new StartError(`The kubeconfig ${where} has no current context. Run kubectl config use-context, or set SERVICE_KUBE_CONTEXT.`);
  const context = find(files, ({ contexts }) => contexts.find((each) => each.name === name)?.context);
  if (context === undefined) {
    const names = files.flatMap(({ config }) => config.contexts.map((each) => each.name));
    throw new StartError(`The kubeconfig ${where} has no context ${name}. It has ${names.join(", ") || "none"}.`);
  }
  const origin = `context ${name} of ${context.file.path}`;
  const { cluster: clusterName, user: userName, namespace } = context.value;
  const target = find(files, ({ clusters }) => clusters.find((each) => each.name === clusterName)?.cluster);
  if (target === undefined) throw new StartError(`The cluster "${clusterName}" of ${origin} is not in ${where}.`);
  const account = find(files, ({ users }) => users.find((each) => each.name === userName)?.user ?? undefined);
  if (userName !== "" && account === undefined) throw new StartError(`The user "${userName}" of ${origin} is not in ${where}.`);
  const identity =
    account === undefined ? null : identityOf(account.value, { origin, file: account.file, target: target.value, variables });
  return {
    ...endpointOf(target.value, target.file, origin),
    origin,
    namespace: namespace || null,
    ...guarded(identity, target.value, origin),
  };
}

function find<Value>(
  files: readonly KubeconfigFile[],
  pick: (config: Kubeconfig) => Value | undefined,
): { value: Value; file: KubeconfigFile } | undefined {
  for (const file of files) {
    const value = pick(file.config);
    if (value !== undefined) return { value, file };
  }
  return undefined;
}

/** Where the cluster is, and how it shows who it is. */
function endpointOf(target: Cluster, file: KubeconfigFile, origin: string): Omit<ClusterAccess, "origin" | "namespace" | "identity"> {
  const url = URL.canParse(target.server) ? new URL(target.server) : undefined;
  if (url === undefined || !["http:", "https:"].includes(url.protocol) || url.hostname === "")
    throw new StartError(`The server of ${origin} is no https:// address.`);
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "")
    throw new StartError(`The server of ${origin} must be https://host:port, with a path at most.`);
  if (target["proxy-url"] !== "")
    throw new StartError(
      `${capitalise(origin)} has a proxy-url, which is not supported. Reach the API server directly, or through a forwarded port.`,
    );
  const isTls = url.protocol === "https:";
  const port = url.port === "" ? (isTls ? 443 : 80) : Number(url.port);
  const basePath = url.pathname.replace(/\/+$/, "");
  return {
    address: `${url.protocol}//${url.hostname}:${port}${basePath}`,
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port,
    isTls,
    basePath,
    authority: materialOf(target["certificate-authority-data"], target["certificate-authority"], {
      file,
      origin,
      what: "certificate-authority-data",
    }),
    isVerified: !target["insecure-skip-tls-verify"],
    serverName: target["tls-server-name"] || null,
  };
}

/** A token on an unencrypted way can be read by everybody on it. */
function guarded(identity: ClusterIdentity | null, target: Cluster, origin: string): Pick<ClusterAccess, "identity"> {
  if (identity === null) return { identity: NO_IDENTITY };
  const isSecret = identity.token !== null || identity.plugin !== null || identity.certificate !== null;
  if (isSecret && target.server.startsWith("http:"))
    throw new StartError(
      `${capitalise(origin)} has credentials and an http:// server, which would show them to the network. Use https://.`,
    );
  return { identity };
}

interface AccountPlace {
  origin: string;
  file: KubeconfigFile;
  target: Cluster;
  variables: Readonly<Record<string, string | undefined>>;
}

function identityOf(account: User, { origin, file, target, variables }: AccountPlace): ClusterIdentity {
  const refuse = (what: string, instead: string): never => {
    throw new StartError(`The user of ${origin} has ${what}, which is not supported. ${instead}`);
  };
  if (account["auth-provider"] != null) refuse("an auth-provider", "Kubernetes has removed these: use an exec plug-in or a token.");
  if (account.username !== "") refuse("a user name with a password", "Kubernetes has removed these: use a token or a client certificate.");
  if (account.as !== "") refuse("an impersonation (as)", "Give the account that is meant a token.");
  const at = { file, origin };
  const certificate = materialOf(account["client-certificate-data"], account["client-certificate"], {
    ...at,
    what: "client-certificate-data",
  });
  const key = materialOf(account["client-key-data"], account["client-key"], { ...at, what: "client-key-data" });
  if ((certificate === null) !== (key === null))
    throw new StartError(`The user of ${origin} has a client certificate without its key, or a key without its certificate.`);
  return {
    // As with kubectl, the file decides where both are given.
    token: account.tokenFile !== "" ? fileOf(account.tokenFile, file) : account.token !== "" ? { kind: "text", text: account.token } : null,
    certificate: certificate === null || key === null ? null : { certificate, key },
    plugin: account.exec == null ? null : pluginOf(account.exec, { ...at, target, variables }),
  };
}

function pluginOf(
  { apiVersion, command, args, env, installHint, provideClusterInfo, interactiveMode }: z.infer<typeof exec>,
  { file, origin, target, variables }: AccountPlace,
): CredentialPlugin {
  if (!PLUGIN_VERSIONS.includes(apiVersion))
    throw new StartError(
      `The exec plug-in of ${origin} asks for ${apiVersion || "no apiVersion"}. Known are ${PLUGIN_VERSIONS.join(", ")}.`,
    );
  if (interactiveMode === "Always")
    throw new StartError(`The exec plug-in of ${origin} always asks a person. Use one that does not, or a token.`);
  return {
    apiVersion,
    // A name alone is looked for in PATH; a path is from the folder of the kubeconfig.
    command: /[/\\]/.test(command) && !isAbsolute(command) ? join(dirname(file.path), command) : command,
    args,
    environment: { ...variables, ...Object.fromEntries(env.map(({ name, value }) => [name, value])) },
    cluster: provideClusterInfo ? clusterInfo(target) : null,
    installHint: installHint || null,
  };
}

/** The cluster as the API of exec plug-ins has it; the authority is added when the program runs. */
function clusterInfo(target: Cluster): Record<string, unknown> {
  const config = target.extensions.find(({ name }) => name === "client.authentication.k8s.io/exec")?.extension;
  return {
    server: target.server,
    ...(target["tls-server-name"] !== "" && { "tls-server-name": target["tls-server-name"] }),
    ...(target["insecure-skip-tls-verify"] && { "insecure-skip-tls-verify": true }),
    ...(config !== undefined && { config }),
  };
}

/** As with kubectl, data decide where a file is named too. */
function materialOf(
  data: string,
  path: string,
  { file, origin, what }: { file: KubeconfigFile; origin: string; what: string },
): Material | null {
  if (data === "") return path === "" ? null : fileOf(path, file);
  const decoded = Buffer.from(data, "base64").toString("utf8");
  if (!decoded.includes("-----BEGIN ")) throw new StartError(`The ${what} of ${origin} is no PEM in base64.`);
  return { kind: "text", text: decoded };
}

function fileOf(path: string, file: KubeconfigFile): { kind: "file"; path: string } {
  return { kind: "file", path: isAbsolute(path) ? path : join(dirname(file.path), path) };
}
