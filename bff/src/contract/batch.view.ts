/** One write of `POST /api/batch`. */
export interface BatchRequest {
  method: 'POST' | 'PUT' | 'DELETE';
  /** `/api/resources/<id>` and other paths of the service. */
  path: string;
  /** JSON text. */
  body?: string;
  idempotency_key?: string;
}

/** The response to the write at the same index: as if it had been sent alone. */
export interface BatchResponse {
  status: number;
  /** JSON text; empty if there is no body. */
  body: string;
  /** In seconds. */
  retry_after?: number;
}

/** `POST /api/batch` `{requests}`: the limits are `batchLimits`. */
export interface BatchResponses {
  responses: BatchResponse[];
}
