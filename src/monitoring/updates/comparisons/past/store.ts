import type { PastChanges } from "../../../../platform/look-back.ts";
import type { Database } from "../../../../storage/database.ts";
import { isOf, pastChanges } from "../../../../storage/look-back.ts";
import type { ComparisonTables } from "../rows.ts";

/** Another image began to run under a name of a host. */
export interface ImageChange {
  /** Of the comparison that it began. */
  id: number;
  at: Date;
  agentId: string | null;
  name: string;
  image: string;
  imageDigest: string | null;
  previousImage: string;
  previousDigest: string | null;
}

export interface PastOfImages extends PastChanges<ImageChange> {
  /** Those of one name within a span of time, newest first. */
  ofName(of: { agentId: string | null; name: string; from: Date; to: Date; limit: number }): Promise<ImageChange[]>;
}

const COLUMNS = ["id", "host", "name", "changed_at", "image", "image_digest", "before_image", "before_digest"] as const;

interface Row {
  id: number;
  host: string;
  name: string;
  changed_at: number;
  image: string;
  image_digest: string | null;
  before_image: string;
  before_digest: string | null;
}

/** Which images took over from which, newest first. */
export function createPastStore(database: Database): PastOfImages {
  const tables = database.tables<ComparisonTables>();
  return {
    ...pastChanges({
      from: (_since, whose) => tables.read.selectFrom("update_comparisons").where(isOf("host", whose === null ? "local" : whose)),
      at: "changed_at",
      id: "id",
      select: (query) => query.select(COLUMNS),
      read: fromRow,
    }),
    async ofName({ agentId, name, from, to, limit }) {
      const rows = await tables.read
        .selectFrom("update_comparisons")
        .select(COLUMNS)
        .where("changed_at", ">=", from.getTime())
        .where("changed_at", "<=", to.getTime())
        .where("host", "=", agentId ?? "local")
        .where("name", "=", name)
        .orderBy("changed_at", "desc")
        .orderBy("id", "desc")
        .limit(limit)
        .execute();
      return rows.map(fromRow);
    },
  };
}

function fromRow(row: Row): ImageChange {
  return {
    id: row.id,
    at: new Date(row.changed_at),
    agentId: row.host === "local" ? null : row.host,
    name: row.name,
    image: row.image,
    imageDigest: row.image_digest,
    previousImage: row.before_image,
    previousDigest: row.before_digest,
  };
}
