/**
 * Generated from docs/swagger.yaml by npm run generate; what is edited here is lost.
 */
import * as Oazapfts from "#clients/api-runtime";
import * as QS from "@oazapfts/runtime/query";
export const defaults: Oazapfts.Defaults<Oazapfts.CustomHeaders> = {
    headers: {},
    baseUrl: "http://localhost:8080"
};
const oazapfts = Oazapfts.runtime(defaults);
export const servers = {
    server1: "http://localhost:8080"
};
export type ExecutionSessionPatch = {
    /** Your own session id, in any form: 1 to 200 characters. */
    session_id: string;
};
export type ExecutionStatus = "queued" | "running" | "completed" | "failed" | "killed" | "interrupted";
export type Usage = {
    /** Tokens that the model was given. */
    input_tokens?: number | undefined;
    /** Tokens that the model answered. */
    output_tokens?: number | undefined;
    /** What it cost, in US dollars. */
    cost_usd?: number | undefined;
};
export type Execution = {
    /** Execution; NOVA_EXECUTION_ID of its agent. */
    id: string;
    /** The same id. */
    execution_id: string;
    /** What the run is about. */
    name: string | null;
    /** Who started it; "external" is only reported here. */
    kind: "agent" | "script" | "external";
    /** Where the run stands. */
    status: ExecutionStatus;
    /** Why it stands there. */
    reason: string | null;
    /** How long it is silent; "quiet" after a minute, "stalled" after ten, null once the run has ended. */
    liveness: ("live" | "quiet" | "stalled") | null;
    /** Project. */
    project_id: string | null;
    /** Task or issue. */
    work_item_id: string | null;
    /** Its person. */
    user_id: string;
    /** Its agent; null for one that a person made. */
    agent_id: string | null;
    /** Session id of the agent. */
    session_id: string | null;
    /** Folder of the agent. */
    worktree_path: string | null;
    /** Git branch. */
    branch: string | null;
    /** Program of the agent. */
    client: string | null;
    /** Cost so far. */
    usage: Usage | null;
    /** What came of it. */
    summary: string | null;
    /** Number of steps. */
    step_count: number;
    /** Begin (RFC 3339). */
    started_at: string;
    /** Last sign of life (RFC 3339). */
    seen_at: string;
    /** End (RFC 3339); null while it runs. */
    ended_at: string | null;
};
export type ReportError = {
    /** Why it was not done, and what to do */
    error: string;
    /** Error code */
    error_code?: string | undefined;
    /** Statuses to choose from */
    valid_statuses?: string[] | undefined;
};
export type StepStatus = "running" | "completed" | "failed" | "skipped";
export type StepCreate = {
    /** What you are doing, in a few words: 1 to 200 characters. */
    step_name: string;
    /** What people should read about it: at most 2,000 characters. */
    message?: string | undefined;
    /** Where it stands already; running unless given. */
    status?: StepStatus | undefined;
};
export type Step = {
    /** Step. */
    id: string;
    /** The same id, as update_step takes it. */
    step_id: string;
    /** Its execution. */
    execution_id: string;
    /** Place among the steps, from 1. */
    seq: number;
    /** What it does. */
    step_name: string;
    /** Where it stands. */
    status: StepStatus;
    /** Last message. */
    message: string | null;
    /** Where it comes from: the agent, its plan, its tool calls, a workflow or a script. */
    source: "agent" | "plan" | "tool" | "workflow" | "script";
    /** Begin (RFC 3339). */
    started_at: string;
    /** Last change (RFC 3339). */
    updated_at: string;
    /** End (RFC 3339); null while it runs. */
    ended_at: string | null;
};
export type ListOfSteps = {
    /** The steps, the first one first. */
    steps: Step[];
    /** Pass it as cursor for more rows; left out on the last page. */
    next_cursor?: string | undefined;
    /** Rows left, at least. */
    remaining?: number | undefined;
    /** What is left or shortened, and how to get it. */
    hint?: string | undefined;
};
export type StepPatch = {
    /** Where it stands now. */
    status?: StepStatus | undefined;
    /** What people should read about it: at most 2,000 characters. */
    message?: string | undefined;
};
export type Health = {
    /** Always "healthy". */
    status: "healthy";
    /** How reports travel: http, mock (memory for tests) or in_process (straight into the store). */
    client: "http" | "mock" | "in_process";
    /** Where the Task Manager is; only over HTTP. */
    config?: {
        /** TASK_MANAGER_HOST. */
        host: string;
        /** TASK_MANAGER_PORT. */
        port: number;
        /** Where the Task Manager is asked. */
        base_url: string;
    } | undefined;
};
export type ExecutionCreate = {
    /** What the run is about, in a few words. */
    name?: string | undefined;
    /** The project it belongs to, by id; that of the work item, or none, unless given. */
    project_id?: string | undefined;
    /** The task or issue it works on, by id. */
    work_item_id?: string | undefined;
};
export type ListOfExecutions = {
    /** The executions, newest first; what came of one is in `get_execution`. */
    executions: {
        /** Execution; NOVA_EXECUTION_ID of its agent. */
        id: string;
        /** The same id. */
        execution_id: string;
        /** What the run is about. */
        name: string | null;
        /** Who started it; "external" is only reported here. */
        kind: "agent" | "script" | "external";
        /** Where the run stands. */
        status: ExecutionStatus;
        /** Why it stands there. */
        reason: string | null;
        /** How long it is silent; "quiet" after a minute, "stalled" after ten, null once the run has ended. */
        liveness: ("live" | "quiet" | "stalled") | null;
        /** Project. */
        project_id: string | null;
        /** Task or issue. */
        work_item_id: string | null;
        /** Its person. */
        user_id: string;
        /** Its agent; null for one that a person made. */
        agent_id: string | null;
        /** Session id of the agent. */
        session_id: string | null;
        /** Folder of the agent. */
        worktree_path: string | null;
        /** Git branch. */
        branch: string | null;
        /** Program of the agent. */
        client: string | null;
        /** Number of steps. */
        step_count: number;
        /** Begin (RFC 3339). */
        started_at: string;
        /** Last sign of life (RFC 3339). */
        seen_at: string;
        /** End (RFC 3339); null while it runs. */
        ended_at: string | null;
    }[];
    /** Pass it as cursor for more rows; left out on the last page. */
    next_cursor?: string | undefined;
    /** Rows left, at least. */
    remaining?: number | undefined;
    /** What is left or shortened, and how to get it. */
    hint?: string | undefined;
};
export type ExecutionPatch = {
    /** What the agent itself calls its session. */
    session_id?: string | undefined;
    /** The folder that the agent works in. */
    worktree_path?: string | undefined;
    /** Where the run stands now. What ends it also ends the steps that are still running. */
    status?: ExecutionStatus | undefined;
    /** Why it stands there, where that is not plain. */
    reason?: string | undefined;
    /** What came of it. */
    summary?: string | undefined;
    /** What it has cost so far. */
    usage?: Usage | undefined;
};
export type FeedEntryCreate = {
    /** What kind of thing happened. */
    kind: "message" | "thought" | "tool_call" | "command" | "output" | "edit" | "question";
    /** What happened, in words. */
    text: string;
};
export type FeedKind = "message" | "thought" | "tool_call" | "command" | "output" | "edit" | "question" | "status";
export type FeedEntry = {
    /** Its place in the feed of the execution, from 1. */
    seq: number;
    /** Its execution. */
    execution_id: string;
    /** What kind of thing happened. */
    kind: FeedKind;
    /** What happened, in words. */
    text: string;
    /** When it was reported (RFC 3339). */
    at: string;
};
export type ListOfFeed = {
    /** The entries, the first one first. */
    entries: FeedEntry[];
    /** Pass it as cursor for more rows; left out on the last page. */
    next_cursor?: string | undefined;
    /** Rows left, at least. */
    remaining?: number | undefined;
    /** What is left or shortened, and how to get it. */
    hint?: string | undefined;
};
/**
 * Register your session
 */
export function updateExecutionSession(executionId: string, executionSessionPatch: ExecutionSessionPatch, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: Execution;
    } | {
        status: number;
        data: ReportError;
    }>(`/api/executions/${encodeURIComponent(executionId)}/session`, oazapfts.json({
        ...opts,
        method: "PUT",
        body: executionSessionPatch,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Create a step
 */
export function createStep(executionId: string, stepCreate: StepCreate, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 201;
        data: Step;
    } | {
        status: number;
        data: ReportError;
    }>(`/api/executions/${encodeURIComponent(executionId)}/steps`, oazapfts.json({
        ...opts,
        method: "POST",
        body: stepCreate,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * List the steps of an execution
 */
export function listSteps(executionId: string, { limit, cursor }: {
    limit?: number;
    cursor?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ListOfSteps;
    } | {
        status: number;
        data: ReportError;
    }>(`/api/executions/${encodeURIComponent(executionId)}/steps${QS.query(QS.explode({
        limit,
        cursor
    }))}`, {
        ...opts
    });
}
/**
 * Update a step
 */
export function patchStep(executionId: string, stepId: string, stepPatch: StepPatch, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: Step;
    } | {
        status: number;
        data: ReportError;
    }>(`/api/executions/${encodeURIComponent(executionId)}/steps/${encodeURIComponent(stepId)}`, oazapfts.json({
        ...opts,
        method: "PATCH",
        body: stepPatch,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Check the Task Manager
 */
export function healthCheck(opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: Health;
    } | {
        status: number;
        data: ReportError;
    }>("/api/health", {
        ...opts
    });
}
/**
 * Create an execution
 */
export function createExecution(executionCreate: ExecutionCreate, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 201;
        data: Execution;
    } | {
        status: number;
        data: ReportError;
    }>("/api/executions", oazapfts.json({
        ...opts,
        method: "POST",
        body: executionCreate,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * List executions
 */
export function listExecutions({ status, liveness, projectId, workItemId, limit, cursor }: {
    status?: ExecutionStatus;
    liveness?: "live" | "quiet" | "stalled";
    projectId?: string;
    workItemId?: string;
    limit?: number;
    cursor?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ListOfExecutions;
    } | {
        status: number;
        data: ReportError;
    }>(`/api/executions${QS.query(QS.explode({
        status,
        liveness,
        project_id: projectId,
        work_item_id: workItemId,
        limit,
        cursor
    }))}`, {
        ...opts
    });
}
/**
 * Read an execution
 */
export function getExecution(executionId: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: Execution;
    } | {
        status: number;
        data: ReportError;
    }>(`/api/executions/${encodeURIComponent(executionId)}`, {
        ...opts
    });
}
/**
 * Update an execution
 */
export function patchExecution(executionId: string, executionPatch: ExecutionPatch, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: Execution;
    } | {
        status: number;
        data: ReportError;
    }>(`/api/executions/${encodeURIComponent(executionId)}`, oazapfts.json({
        ...opts,
        method: "PATCH",
        body: executionPatch,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Add to the feed of an execution
 */
export function addFeedEntry(executionId: string, feedEntryCreate: FeedEntryCreate, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 201;
        data: FeedEntry;
    } | {
        status: number;
        data: ReportError;
    }>(`/api/executions/${encodeURIComponent(executionId)}/feed`, oazapfts.json({
        ...opts,
        method: "POST",
        body: feedEntryCreate,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * List the feed of an execution
 */
export function listFeed(executionId: string, { limit, cursor }: {
    limit?: number;
    cursor?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ListOfFeed;
    } | {
        status: number;
        data: ReportError;
    }>(`/api/executions/${encodeURIComponent(executionId)}/feed${QS.query(QS.explode({
        limit,
        cursor
    }))}`, {
        ...opts
    });
}
