import type { IncomingHttpHeaders } from "node:http";
import type { AdminAccess } from "../../http/admin-access.ts";
import type { Clock } from "../../platform/clock.ts";
import { isServiceError } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import type { Scope } from "../tool.ts";
import {
  type AuthorizationFault,
  type AuthorizationRequest,
  type AuthorizationRules,
  judgeAuthorization,
  type Judgement,
  parametersOf,
  withParameters,
} from "./authorization.ts";
import { LIFETIMES } from "./connection.ts";
import { type AskedScope, consentPage, refusalPage } from "./consent-page.ts";
import { type Addresses, PATHS } from "./metadata.ts";
import type { Parameters } from "./parameters.ts";
import { SCOPE_SENTENCES } from "./scopes.ts";
import type { OAuthStore } from "./store.ts";
import { hashOf, newToken } from "./token.ts";

/** What a person's browser is answered. */
export type BrowserAnswer =
  /** `again`: an address that the page goes to by itself, at once. */
  { kind: "consent" | "refusal"; status: number; page: string; again?: string } | { kind: "redirect"; location: string };

/** What is known of the person in front of the browser. */
export interface Person {
  headers: IncomingHttpHeaders;
  clientAddress: string;
}

/** Asks a person whether the client may be connected. */
export interface ConsentService {
  ask(parameters: Parameters, person: Person): BrowserAnswer;
  /** The same request again, with the person's answer; everything in it is checked again. */
  decide(parameters: Parameters, person: Person): Promise<BrowserAnswer>;
}

export interface ConsentServiceParts {
  store: Pick<OAuthStore, "keepCode">;
  rules: AuthorizationRules;
  addresses: Addresses;
  /** Where there is an admin token, only who knows it may consent. */
  adminAccess: Pick<AdminAccess, "callerOf" | "accepts"> | undefined;
  clock: Clock;
  log: Log;
}

/** A parameter that says: this page has asked for itself, once is enough. */
const ASKED_AGAIN = "asked_again";

const DENIED: AuthorizationFault = { error: "access_denied", description: "The person who was asked did not allow it" };
const NO_STORAGE: AuthorizationFault = { error: "temporarily_unavailable", description: "The database cannot be reached; try again" };

export function createConsentService({ store, rules, addresses, adminAccess, clock, log }: ConsentServiceParts): ConsentService {
  const isUnknown = (person: Person): boolean => adminAccess !== undefined && adminAccess.callerOf(person) === undefined;

  function page(
    request: AuthorizationRequest,
    person: Person,
    { status = 200, fault }: { status?: number; fault?: string } = {},
  ): BrowserAnswer {
    const html = consentPage({
      clientId: rules.clientId,
      redirectUri: request.redirectUri,
      scopes: request.scopes.map((scope) => askedScope(scope, request.scopes)),
      resource: rules.resource,
      needsAdminToken: isUnknown(person),
      fault,
      hidden: parametersOf(request, rules),
    });
    return { kind: "consent", status, page: html };
  }

  /** Back to the client; with who answers, so that it cannot take this for the answer of another server. Source: RFC 9207. */
  function back(to: { redirectUri: string; state: string | undefined }, answer: Record<string, string>): BrowserAnswer {
    return { kind: "redirect", location: withParameters(to.redirectUri, { ...answer, state: to.state, iss: addresses.issuer }) };
  }

  function faulty(to: { redirectUri: string; state: string | undefined }, { error, description }: AuthorizationFault): BrowserAnswer {
    return back(to, { error, error_description: description });
  }

  function answerFault(judgement: Exclude<Judgement, { kind: "asked" }>): BrowserAnswer {
    if (judgement.kind === "returned") return faulty(judgement, judgement.fault);
    return { kind: "refusal", status: 400, page: refusalPage({ title: "This assistant cannot be connected", message: judgement.message }) };
  }

  /** Why the person may not consent; undefined when they may. */
  function tokenFault(parameters: Parameters, person: Person): { status: number; fault: string } | undefined {
    if (adminAccess === undefined || adminAccess.callerOf(person) !== undefined) return undefined;
    const token = parameters.get("admin_token")?.trim() ?? "";
    try {
      if (adminAccess.accepts(token, person.clientAddress, "consent")) return undefined;
      return { status: 401, fault: "That is not the token. It is the value of SERVICE_ADMIN_TOKEN." };
    } catch (error) {
      if (isServiceError(error, "rate_limited")) return { status: 429, fault: error.message };
      throw error;
    }
  }

  async function allow(request: AuthorizationRequest, scopes: readonly Scope[]): Promise<BrowserAnswer> {
    const code = newToken();
    const now = clock.now();
    try {
      await store.keepCode(hashOf(code), {
        clientId: rules.clientId,
        redirectUri: request.redirectUri,
        challenge: request.challenge,
        scopes,
        resource: rules.resource,
        createdAt: now,
        expiresAt: new Date(now.getTime() + LIFETIMES.codeMs),
      });
    } catch (error) {
      if (isServiceError(error, "storage_unavailable")) return faulty(request, NO_STORAGE);
      throw error;
    }
    log.info({ scopes }, "a person allowed an MCP client to connect");
    return back(request, { code });
  }

  return {
    ask(parameters, person) {
      const judgement = judgeAuthorization(parameters, rules);
      if (judgement.kind !== "asked") return answerFault(judgement);
      const answer = page(judgement.request, person);
      // A browser that another site sends here leaves the cookie of a login out; when this page itself asks again, it brings it.
      const isSentHere = person.headers["sec-fetch-site"] === "cross-site" && parameters.get(ASKED_AGAIN) === undefined;
      if (answer.kind !== "consent" || !isSentHere || !isUnknown(person)) return answer;
      const again = withParameters(PATHS.authorize, { ...parametersOf(judgement.request, rules), [ASKED_AGAIN]: "yes" });
      return { ...answer, again };
    },
    async decide(parameters, person) {
      const judgement = judgeAuthorization(parameters, rules);
      if (judgement.kind !== "asked") return answerFault(judgement);
      const { request } = judgement;
      const decision = parameters.get("decision");
      if (decision === "deny") return faulty(request, DENIED);
      if (decision !== "allow") return page(request, person, { status: 400, fault: "Choose whether to allow it." });
      const fault = tokenFault(parameters, person);
      if (fault !== undefined) return page(request, person, fault);
      return allow(request, grantedScopes(request.scopes, parameters));
    },
  };
}

/** What changes something goes only to those who tick it: clients ask for all that a server lists, whether or not they need it. */
function isRefusable(scope: Scope, asked: readonly Scope[]): boolean {
  return scope !== "monitor:read" && asked.length > 1;
}

function askedScope(scope: Scope, asked: readonly Scope[]): AskedScope {
  return { name: scope, sentence: SCOPE_SENTENCES[scope], refusable: isRefusable(scope, asked) };
}

function grantedScopes(asked: readonly Scope[], parameters: Parameters): Scope[] {
  return asked.filter((scope) => !isRefusable(scope, asked) || parameters.get(scope) === "yes");
}
