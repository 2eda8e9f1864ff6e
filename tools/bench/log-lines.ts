import { type Chance, createChance } from "../../test/support/chance.ts";

/** What the containers of a shop write: two APIs with lines of JSON and of logfmt, a proxy, a database, a checkout with stack traces, and workers. */
export interface MadeLogs {
  /** The name of each container. */
  names: readonly string[];
  /** The next lines of a container at that moment, those of a stack trace one by one; the same for the same order of questions. */
  next(container: number, at: Date): string[];
  /** How many of these a container writes while the others write theirs. */
  share(container: number): number;
}

/** Stands in few lines of the checkout. */
export const RARE = "kraken-7f3d9a";

type Write = (at: Date, chance: Chance) => string[];

export function makeLogs(): MadeLogs {
  const chance = createChance(17);
  const containers = KINDS.flatMap(({ name, count, ...kind }) =>
    Array.from({ length: count }, (_, index) => ({ ...kind, name: `${name}-${index + 1}` })),
  );
  return {
    names: containers.map(({ name }) => name),
    next: (container, at) => containers[container]?.write(at, chance) ?? [],
    share: (container) => containers[container]?.share ?? 0,
  };
}

const KINDS: readonly { name: string; count: number; share: number; write: Write }[] = [
  { name: "api", count: 4, share: 120, write: api },
  { name: "cart", count: 4, share: 120, write: cart },
  { name: "proxy", count: 4, share: 160, write: proxy },
  { name: "db", count: 3, share: 60, write: database },
  { name: "checkout", count: 3, share: 100, write: checkout },
  { name: "mailer", count: 2, share: 60, write: mailer },
];

const METHODS = ["GET", "GET", "GET", "POST", "PUT", "DELETE"] as const;
const THINGS = ["orders", "products", "customers", "invoices", "reviews", "coupons"] as const;
const BROWSERS = [
  "Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0",
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1",
  "kube-probe/1.31",
] as const;
const CITIES = ["Zürich", "Malmö", "Łódź", "Porto", "Ghent"] as const;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"] as const;

function api(at: Date, chance: Chance): string[] {
  const host = `"pid":7,"hostname":"api-7c9d5b","reqId":"${hex(chance, 2)}"`;
  if (chance.next() < 0.004)
    return [
      `{"level":50,"time":${at.getTime()},${host},"err":{"type":"Error","message":"connect ECONNREFUSED ${address(chance)}:5432"},"msg":"query timed out after ${chance.below(9000)} ms"}`,
    ];
  const [method, path, status] = [pick(METHODS, chance), pathOf(chance), statusOf(chance)];
  return [
    `{"level":30,"time":${at.getTime()},${host},"req":{"method":"${method}","url":"${path}","remoteAddress":"${address(chance)}"},"res":{"statusCode":${status}},"responseTime":${duration(chance)},"msg":"request completed"}`,
  ];
}

function cart(at: Date, chance: Chance): string[] {
  const start = `time=${at.toISOString()} level=`;
  const trace = `trace_id=${hex(chance, 4)} span_id=${hex(chance, 2)}`;
  if (chance.next() < 0.006)
    return [`${start}error msg="cart not saved: lock timed out" user_id=${chance.below(90_000)} ${trace} attempt=${chance.below(5)}`];
  if (chance.next() < 0.1)
    return [`${start}debug msg="cache miss" key=cart:${chance.below(90_000)}:${hex(chance, 1)} ${trace} ttl=${chance.below(600)}s`];
  return [
    `${start}info msg="request completed" method=${pick(METHODS, chance)} path=${pathOf(chance)} status=${statusOf(chance)} user_id=${chance.below(90_000)} ${trace} duration=${duration(chance)}ms`,
  ];
}

function proxy(at: Date, chance: Chance): string[] {
  const [date = "", time = ""] = at.toISOString().split(/[T.]/);
  const [year = "", month = "", day = ""] = date.split("-");
  const when = `${day}/${MONTHS[Number(month) - 1]}/${year}:${time} +0000`;
  return [
    `${address(chance)} - - [${when}] "${pick(METHODS, chance)} ${pathOf(chance)} HTTP/1.1" ${statusOf(chance)} ${chance.below(60_000)} "-" "${pick(BROWSERS, chance)}" rt=0.${chance.below(900)}`,
  ];
}

function database(at: Date, chance: Chance): string[] {
  const start = `${at.toISOString().replace("T", " ").replace("Z", "")} UTC [${1000 + chance.below(300)}]`;
  if (chance.next() < 0.003) return [`${start} ERROR:  canceling statement due to lock timeout at character ${chance.below(300)}`];
  return [
    `${start} LOG:  duration: ${duration(chance)} ms  execute <unnamed>: SELECT id, total, placed_at FROM ${pick(THINGS, chance)} WHERE customer_id = $1 AND id > ${chance.below(900_000)} LIMIT 50`,
  ];
}

function checkout(at: Date, chance: Chance): string[] {
  const start = `${at.toISOString().replace("T", " ").replace("Z", "")}`;
  const thread = `1 --- [nio-8080-exec-${chance.below(40)}] c.shop.checkout`;
  const order = `order ${chance.below(900_000)} [${uuid(chance)}]`;
  if (chance.next() < 0.004)
    return [`${start}  WARN ${thread}.PaymentService : payment of ${order} declined by acquirer ${chance.below(90)}`];
  if (chance.next() > 0.003) return [`${start}  INFO ${thread}.OrderService : placed ${order} of customer ${chance.below(90_000)}`];
  return [
    `${start} ERROR ${thread}.StockClient : stock of ${order} not reserved`,
    `java.net.SocketTimeoutException: Read timed out`,
    `\tat java.base/sun.nio.ch.NioSocketImpl.timedRead(NioSocketImpl.java:${200 + chance.below(99)})`,
    `\tat com.shop.checkout.StockClient.reserve(StockClient.java:${chance.below(400)})`,
    `\tat com.shop.checkout.OrderService.place(OrderService.java:${chance.below(400)})`,
  ];
}

function mailer(_at: Date, chance: Chance): string[] {
  const number = chance.below(900_000);
  if (chance.next() < 0.3) return [`[worker-${chance.below(4)}] debug: polled queue mails, ${chance.below(3)} messages`];
  return [
    `[worker-${chance.below(4)}] info: sent receipt ${number} to customer ${chance.below(90_000)} in ${pick(CITIES, chance)} (${hex(chance, 2)})`,
  ];
}

function pathOf(chance: Chance): string {
  return `/api/v1/${pick(THINGS, chance)}/${chance.below(900_000)}`;
}

function statusOf(chance: Chance): number {
  const roll = chance.next();
  return roll < 0.93 ? 200 : roll < 0.98 ? 404 : roll < 0.995 ? 302 : 503;
}

function duration(chance: Chance): string {
  return (chance.next() ** 4 * 900 + 1).toFixed(2);
}

function address(chance: Chance): string {
  return `10.${chance.below(8)}.${chance.below(256)}.${chance.below(256)}`;
}

function uuid(chance: Chance): string {
  const digits = hex(chance, 4);
  return [digits.slice(0, 8), digits.slice(8, 12), digits.slice(12, 16), digits.slice(16, 20), digits.slice(20)].join("-");
}

/** Eight digits of each word. */
function hex(chance: Chance, words: number): string {
  let digits = "";
  for (let word = 0; word < words; word += 1)
    digits += chance
      .below(2 ** 32)
      .toString(16)
      .padStart(8, "0");
  return digits;
}

function pick<Item>(items: readonly [Item, ...Item[]], chance: Chance): Item {
  return items[chance.below(items.length)] ?? items[0];
}
