"""The Celery worker: marks a job as running, computes nothing, and stores the result with its hash."""

import hashlib
import json
import os

import psycopg2
from celery import Celery
from celery.signals import worker_process_init

app = Celery("peer", broker=os.environ["REDIS_URL"])
app.conf.update(
    task_ignore_result=True,
    task_acks_late=True,
    worker_send_task_events=False,
    broker_transport_options={"visibility_timeout": 60},
    worker_hijack_root_logger=False,
)
TENANT = "select set_config('app.workspace', %s, true), set_config('app.environment', %s, true)"
START = """update job set state = 'running', attempts = attempts + 1, started_at = now()
  where uid = %s and state in ('queued', 'running') returning input"""
END = """update job set state = 'succeeded', finished_at = now(), result = %s, result_hash = %s
  where uid = %s and state = 'running'"""
database = None


@worker_process_init.connect
def connect(**_):
    global database
    database = psycopg2.connect(os.environ["DATABASE_URL"])


@app.task(name="no_op")
def no_op(uid, workspace, environment):
    with database, database.cursor() as cursor:
        cursor.execute(TENANT, (workspace, environment))
        cursor.execute(START, (uid,))
        if cursor.fetchone() is None:
            return
    text = json.dumps({"done": True}, sort_keys=True, separators=(",", ":"))
    digest = hashlib.sha256(text.encode()).hexdigest()
    with database, database.cursor() as cursor:
        cursor.execute(TENANT, (workspace, environment))
        cursor.execute(END, (text, digest, uid))
        cursor.execute("select pg_notify('job_ended', %s)", (uid,))
