"""The FastAPI server: creates a job and waits for its end, and reads a job. Each request finds its key first."""

import asyncio
import hashlib
import json
import os
import uuid
from datetime import datetime, timezone

import asyncpg
from fastapi import FastAPI, Header, HTTPException
from fastapi.responses import JSONResponse

from python_tasks import no_op

app = FastAPI()
waiting: dict[str, asyncio.Event] = {}
KEY = "select workspace, environment from api_key where key_hash = $1 and revoked_at is null"
TENANT = "select set_config('app.workspace', $1, true), set_config('app.environment', $2, true)"
INSERT = """insert into job (uid, workspace, environment, kind, state, input, input_hash, created_at)
  values ($1, $2, $3, 'no_op', 'queued', $4, $5, $6)"""
READ = """select uid, kind, state, input, input_hash, attempts, created_at, started_at, finished_at, result,
  result_hash from job where uid = $1"""


@app.on_event("startup")
async def start():
    url = os.environ["DATABASE_URL"]
    app.state.pool = await asyncpg.create_pool(url, min_size=10, max_size=10)
    app.state.listener = await asyncpg.connect(url)
    await app.state.listener.add_listener("job_ended", heard)


def heard(_connection, _pid, _channel, uid):
    event = waiting.get(uid)
    if event:
        event.set()


async def caller(connection, authorization):
    token = authorization.removeprefix("Bearer ")
    row = await connection.fetchrow(KEY, hashlib.sha256(token.encode()).hexdigest())
    if row is None:
        raise HTTPException(401)
    return row["workspace"], row["environment"]


async def find(connection, tenant, uid):
    async with connection.transaction():
        await connection.execute(TENANT, *tenant)
        return await connection.fetchrow(READ, uid)


def instant(value):
    return value and value.isoformat()


def present(row, with_result):
    body = {
        "uid": row["uid"],
        "kind": row["kind"],
        "state": row["state"],
        "input": json.loads(row["input"]),
        "input_hash": row["input_hash"],
        "attempts": row["attempts"],
        "created_at": instant(row["created_at"]),
        "started_at": instant(row["started_at"]),
        "finished_at": instant(row["finished_at"]),
        "result_hash": row["result_hash"],
    }
    if with_result and row["result"] is not None:
        body["result"] = json.loads(row["result"])
    return body


@app.post("/jobs")
async def create(authorization: str = Header(default="")):
    uid = uuid.uuid4().hex
    event = waiting[uid] = asyncio.Event()
    try:
        async with app.state.pool.acquire() as connection:
            tenant = await caller(connection, authorization)
            text = json.dumps({}, sort_keys=True)
            digest = hashlib.sha256(text.encode()).hexdigest()
            async with connection.transaction():
                await connection.execute(TENANT, *tenant)
                await connection.execute(INSERT, uid, *tenant, text, digest, datetime.now(timezone.utc))
        no_op.apply_async((uid, *tenant))
        for _ in range(40):
            try:
                await asyncio.wait_for(event.wait(), 0.5)
            except asyncio.TimeoutError:
                pass
            async with app.state.pool.acquire() as connection:
                row = await find(connection, tenant, uid)
            if row["state"] == "succeeded":
                return JSONResponse(present(row, True), 201)
        return JSONResponse(present(row, True), 202)
    finally:
        waiting.pop(uid, None)


@app.get("/jobs/{uid}")
async def read(uid: str, authorization: str = Header(default="")):
    async with app.state.pool.acquire() as connection:
        tenant = await caller(connection, authorization)
        row = await find(connection, tenant, uid)
    if row is None:
        raise HTTPException(404)
    return JSONResponse(present(row, False))
