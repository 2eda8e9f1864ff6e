import { MINUTE_MS } from "../../contract/time.ts";
import type { LogStyle } from "./containers.ts";

export type Draw = (limit: number) => number;
type Text = (draw: Draw, at: Date) => string;

const PATHS = [
  "/",
  "/p/oak-table",
  "/p/brass-lamp",
  "/p/wool-rug",
  "/cart",
  "/search?q=lamp",
  "/api/stock/4711",
  "/assets/app.8f3c.js",
  "/c/kitchen",
  "/account",
];
const pick = <Item>(items: readonly Item[], draw: Draw): Item => items[draw(items.length)] as Item;
const address = (draw: Draw): string => `203.0.113.${1 + draw(250)}`;
const logfmt = (level: string, message: string, at: Date, more = ""): string =>
  `time=${at.toISOString()} level=${level} msg="${message}"${more === "" ? "" : ` ${more}`}`;

/** What programs write, by what they are: a line every so often. */
export const LOG_STYLES: Readonly<Record<LogStyle, { everyMs: number; text: Text }>> = {
  access: {
    everyMs: 700,
    text: (draw) =>
      `${address(draw)} "GET ${pick(PATHS, draw)} HTTP/2.0" ${draw(40) === 0 ? 404 : 200} ${400 + draw(48_000)} ${2 + draw(90)}ms`,
  },
  app: {
    everyMs: 2_300,
    text: (draw, at) =>
      draw(25) === 0
        ? logfmt("warn", "slow query", at, `table=products took=${300 + draw(900)}ms`)
        : logfmt("info", pick(["request served", "cache hit", "cache filled", "session renewed"], draw), at, `took=${1 + draw(60)}ms`),
  },
  checkout: {
    everyMs: 1_900,
    text: (draw, at) =>
      draw(3) === 0
        ? logfmt("error", "payment not started: dial tcp payments:8080: connection refused", at, `order=${100_000 + draw(9000)}`)
        : logfmt("info", "basket priced", at, `order=${100_000 + draw(9000)} took=${4 + draw(30)}ms`),
  },
  postgres: {
    everyMs: 9_000,
    text: (draw) =>
      pick(
        [
          `LOG:  checkpoint complete: wrote ${200 + draw(3000)} buffers (${1 + draw(9)}.${draw(9)}%)`,
          "LOG:  checkpoint starting: time",
          `LOG:  automatic vacuum of table "shop.public.events": index scans: ${draw(2)}`,
          `LOG:  duration: ${200 + draw(800)}.${draw(999)} ms  execute <unnamed>: SELECT id, name FROM products WHERE updated_at > $1`,
        ],
        draw,
      ),
  },
  mariadb: {
    everyMs: 15_000,
    text: (draw, at) =>
      `${at.toISOString().slice(0, 19).replace("T", " ")} 0 [${pick(["Note] InnoDB: Buffer pool(s) load completed", "Note] mariadbd: ready for connections", "Warning] Aborted connection to db: 'nextcloud' user: 'nextcloud'"], draw)} ${draw(9_000)}`,
  },
  clickhouse: {
    everyMs: 4_000,
    text: (draw, at) =>
      `${at.toISOString().slice(0, 23).replace("T", " ").replaceAll("-", ".")} [ ${1 + draw(300)} ] {} ${pick(
        [
          `<Debug> MergeTask::PrepareStage: Merging ${2 + draw(6)} parts in table analytics.events`,
          `<Information> executeQuery: Read ${1 + draw(900)}000 rows, ${1 + draw(80)}.${draw(99)} MiB in 0.${100 + draw(800)} sec.`,
          `<Debug> MemoryTracker: Peak memory usage (for query): ${1 + draw(900)}.${draw(99)} MiB.`,
          "<Trace> SystemLog (system.query_log): Flushed system log up to offset",
        ],
        draw,
      )}`,
  },
  redis: {
    everyMs: 20_000,
    text: (draw, at) =>
      `1:M ${at.toUTCString().slice(5, 25)}.${100 + draw(899)} * ${pick(
        [
          `${10 + draw(90)} changes in 300 seconds. Saving...`,
          `Background saving started by pid ${30 + draw(900)}`,
          "DB saved on disk",
          "Background saving terminated with success",
        ],
        draw,
      )}`,
  },
  rabbitmq: {
    everyMs: 17_000,
    text: (draw, at) =>
      `${at.toISOString().slice(0, 23).replace("T", " ")} [info] <0.${500 + draw(9_000)}.0> ${pick(
        ["accepting AMQP connection", "connection: user 'shop' authenticated and granted access to vhost '/'", "closing AMQP connection"],
        draw,
      )} (10.20.0.${2 + draw(40)}:${40_000 + draw(9_000)} -> 10.20.0.9:5672)`,
  },
  java: {
    everyMs: 12_000,
    text: (draw, at) =>
      `[${at.toISOString().slice(0, 23).replace("T", " ")}] INFO ${pick(
        ["Rolled new log segment", "Snapshot written", "Segment merge finished", "Checkpoint written"],
        draw,
      )} in ${2 + draw(200)} ms. (${pick(["node.storage", "node.index", "node.cluster"], draw)})`,
  },
  worker: {
    everyMs: 3_100,
    text: (draw, at) =>
      logfmt(
        "info",
        "job done",
        at,
        `queue=${pick(["orders", "mail", "images"], draw)} id=${10_000 + draw(89_999)} took=${20 + draw(900)}ms`,
      ),
  },
  backup: {
    everyMs: 40_000,
    text: (draw) => `processed ${1000 + draw(4000)} files, ${2 + draw(9)}.${draw(999)} GiB in 0:${10 + draw(49)}`,
  },
  plain: {
    everyMs: 12_000,
    text: (draw, at) => logfmt("info", pick(["tick", "compaction done", "segment written", "scrape done"], draw), at, `n=${draw(5000)}`),
  },
  payments: { everyMs: MINUTE_MS, text: () => "" },
};
