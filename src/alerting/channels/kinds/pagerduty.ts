import type { AlertNotification } from "../../alerts/api.ts";
import type { Notification } from "../../vocabulary.ts";
import { fit, summarize } from "../summary.ts";
import { hostAlone, type HttpKind, unknownQueries, unless } from "./kind.ts";

/** Source: PagerDuty, Events API v2, Send an alert event. */
const LIMITS = { summary: 1024, key: 255, text: 1000 } as const;

const ACTIONS = {
  "alert.fired": "trigger",
  "alert.acknowledged": "acknowledge",
  "alert.resolved": "resolve",
  test: "trigger",
} as const satisfies Record<Notification["event"], string>;

export const pagerduty: HttpKind = {
  title: "PagerDuty",
  capability: null,
  transport: "http",
  takesHeaders: false,
  validate: (url) => [
    ...unless(
      url.pathname.endsWith("/v2/enqueue") && /^[a-z0-9]{32}$/i.test(url.searchParams.get("routing_key") ?? ""),
      "Must be https://events.pagerduty.com/v2/enqueue?routing_key=KEY, with the integration key of Events API v2",
    ),
    ...unknownQueries(url, ["routing_key"]),
  ],
  shown: hostAlone,
  message(notification, url) {
    const action = ACTIONS[notification.event];
    const base = { routing_key: url.searchParams.get("routing_key"), event_action: action, dedup_key: dedupKey(notification) };
    return {
      url: `${url.origin}${url.pathname}`,
      body: action === "trigger" ? { ...base, ...triggerOf(notification) } : base,
    };
  },
};

function triggerOf(notification: AlertNotification): object {
  const { alert, event } = notification;
  const { headline, message, cause, facts, url } = summarize(notification);
  return {
    client: "Binnacle",
    client_url: url,
    links: [{ href: url, text: "Open the alert" }],
    payload: {
      summary: fit(`${headline}. ${message}`, LIMITS.summary),
      source: fit(alert.entity_name || "Binnacle", LIMITS.text),
      severity: event === "test" ? "info" : alert.severity,
      timestamp: alert.fired_at,
      component: fit(alert.entity_name || "Binnacle", LIMITS.text),
      group: alert.source,
      class: fit(alert.event, LIMITS.text),
      custom_details: { ...(cause === null ? {} : { cause }), ...Object.fromEntries(facts.map(({ label, value }) => [label, value])) },
    },
  };
}

/**
 * The same for all notifications of an alert, and different for every other alert of any instance. All tests share one, so that at most one test
 * stays open.
 */
function dedupKey({ alert, event }: AlertNotification): string {
  return event === "test" ? "binnacle-test" : `binnacle ${alert.url || alert.id}`.slice(0, LIMITS.key);
}
