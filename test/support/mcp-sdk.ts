/** The official SDK's client, with credentials and a person who consents. */
import {
  Client,
  type ClientOptions,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
  type StreamableHTTPClientTransportOptions,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import { CfWorkerJsonSchemaValidator } from "@modelcontextprotocol/client/validators/cf-worker";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/client/validators/ajv";
import { decide, type Decision } from "./mcp-person.ts";
import { CLIENT, type McpProgram } from "./mcp-program.ts";

/** The newest protocol, the last of its predecessors, and an old one; results are checked against their schemas by two validators. */
export const PROTOCOLS = [
  { version: "2026-07-28", validator: "Ajv" },
  { version: "2025-11-25", validator: "cfworker" },
  { version: "2025-03-26", validator: "Ajv" },
] as const;
export type Protocol = (typeof PROTOCOLS)[number];

/** How a client speaks this protocol and no other. */
export function clientOptions({ version, validator }: Protocol): ClientOptions {
  const jsonSchemaValidator = validator === "Ajv" ? new AjvJsonSchemaValidator() : new CfWorkerJsonSchemaValidator();
  return version === "2026-07-28"
    ? { jsonSchemaValidator, versionNegotiation: { mode: { pin: version } } }
    : { jsonSchemaValidator, supportedProtocolVersions: [version] };
}

export function newClient(protocol: Protocol): Client {
  return new Client({ name: `sdk ${protocol.version}`, version: "1.0.0" }, clientOptions(protocol));
}

/** What a client keeps of its authorization. */
export interface SdkAccount extends OAuthClientProvider {
  /** Where the person was sent, oldest first. */
  readonly asked: readonly URL[];
  tokens(): StoredOAuthTokens | undefined;
  /** Every set of tokens that it was given, oldest first. */
  readonly given: readonly StoredOAuthTokens[];
  /** Makes it use these instead. */
  replace(tokens: Partial<StoredOAuthTokens>): void;
}

export function createAccount(scope?: string): SdkAccount {
  const asked: URL[] = [];
  const given: StoredOAuthTokens[] = [];
  let current: StoredOAuthTokens | undefined;
  let verifier = "";
  let found: OAuthDiscoveryState | undefined;
  const redirectUrl = "http://127.0.0.1:33418/callback";
  return {
    asked,
    given,
    redirectUrl,
    clientMetadata: {
      client_name: "sdk",
      redirect_uris: [redirectUrl],
      ...(scope === undefined ? {} : { scope }),
      token_endpoint_auth_method: "client_secret_basic",
    },
    clientInformation: () => ({ client_id: CLIENT.id, client_secret: CLIENT.secret }),
    tokens: () => current,
    saveTokens(tokens) {
      current = tokens;
      given.push(tokens);
    },
    replace(tokens) {
      if (current !== undefined) current = { ...current, ...tokens };
    },
    redirectToAuthorization: (url) => void asked.push(url),
    saveCodeVerifier: (given_) => void (verifier = given_),
    codeVerifier: () => verifier,
    saveDiscoveryState: (state) => void (found = state),
    discoveryState: () => found,
    invalidateCredentials(kind) {
      if (kind === "all" || kind === "tokens") current = undefined;
    },
  };
}

export interface Connected {
  client: Client;
  transport: StreamableHTTPClientTransport;
}

/** Connects with what the account holds; without, or when it is not taken, the person is asked first. */
export async function connectSdk(
  program: McpProgram,
  {
    protocol,
    account,
    decision = {},
    ...options
  }: { protocol: Protocol; account: SdkAccount; decision?: Decision } & Pick<StreamableHTTPClientTransportOptions, "onInsufficientScope">,
): Promise<Connected> {
  const open = async (): Promise<Connected> => {
    const client = newClient(protocol);
    const transport = new StreamableHTTPClientTransport(new URL(program.mcpUrl), {
      authProvider: account,
      fetch: program.fetch,
      ...options,
    });
    try {
      await client.connect(transport);
    } catch (error) {
      if (!isUnauthorized(error)) throw error;
      const asked = account.asked.at(-1);
      if (asked === undefined) throw error;
      const back = await decide(asked, { fetch: program.fetch, ...decision });
      await transport.finishAuth(back.searchParams);
      await client.close();
      return open();
    }
    return { client, transport };
  };
  return open();
}

/** Somewhere in what was thrown; the probe of the newest protocol wraps it. */
function isUnauthorized(error: unknown): boolean {
  for (let each = error; each instanceof Error; each = each.cause) if (each instanceof UnauthorizedError) return true;
  return false;
}

/** The names of all tools, prompts and resources that a client is shown. */
export async function listAll(client: Client): Promise<{ tools: string[]; prompts: string[]; resources: string[]; templates: string[] }> {
  const { tools } = await client.listTools();
  const { prompts } = await client.listPrompts();
  const { resources } = await client.listResources();
  const { resourceTemplates } = await client.listResourceTemplates();
  return {
    tools: tools.map(({ name }) => name).sort(),
    prompts: prompts.map(({ name }) => name).sort(),
    resources: resources.map(({ uri }) => uri).sort(),
    templates: resourceTemplates.map(({ uriTemplate }) => uriTemplate).sort(),
  };
}
