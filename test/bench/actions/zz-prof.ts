import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { Client } from 'pg';
import { openCluster } from '../../support/cluster.ts';
import { openStage, type Power } from './stage.ts';
import { openBare } from './bare.ts';
import { statementsOf } from './statements.ts';

const mode = process.argv[2] ?? 'cpu'; // cpu | sql | prof
const which = process.argv[3] ?? 'register,use,approve';
const N = Number(process.argv[4] ?? 400);
const C = Number(process.argv[5] ?? 8);
const home = `/tmp/prof-${process.env['PROF'] ?? 'actions'}`;
let cluster = await openCluster(home);
{
  const c = new Client({ connectionString: cluster.superuserUrl('postgres') });
  await c.connect();
  const { rows } = await c.query('show shared_preload_libraries');
  if (mode === 'sql' && !rows[0].shared_preload_libraries.includes('stat')) {
    await c.query("alter system set shared_preload_libraries='pg_stat_statements'");
    await c.query("alter system set pg_stat_statements.track='all'");
    await c.query("alter system set pg_stat_statements.track_planning=on");
    await c.end(); await cluster.release();
    cluster = await openCluster(home);
  } else await c.end();
}
const db = 'assay_prof';
const url = await cluster.freshDatabase(db);
const su = new Client({ connectionString: cluster.superuserUrl(db) });
await su.connect();
if (mode === 'sql') await su.query('create extension if not exists pg_stat_statements');
const stage = await openStage(url, 16);
const pid = await cluster.pid();
const pgCpu = () => {
  let t = 0;
  for (const p of readdirSync('/proc')) {
    if (!/^\d+$/.test(p)) continue;
    try {
      const s = readFileSync(`/proc/${p}/stat`, 'latin1'); const f = s.slice(s.lastIndexOf(')') + 2).split(' ');
      if (Number(f[1]) === pid || Number(p) === pid) t += Number(f[11]) + Number(f[12]);
    } catch {}
  }
  return t * 10_000;
};
async function loop(n: number, c: number, work: (t: number) => Promise<unknown>) {
  let i = 0;
  await Promise.all(Array.from({ length: c }, async () => { while (i < n) await work(i++); }));
}
async function measure(name: string, n: number, c: number, work: (t: number) => Promise<unknown>, peer = false) {
  await loop(n, c, work);
  if (mode === 'sql' && !peer) await su.query('select pg_stat_statements_reset()');
  let session: Session | undefined;
  if (mode === 'prof' && !peer) { session = new Session(); session.connect(); await session.post('Profiler.enable'); await session.post('Profiler.setSamplingInterval', { interval: 250 }); await session.post('Profiler.start'); }
  const best: { node: number; pg: number; ms: number }[] = [];
  for (let r = 0; r < 3; r++) {
    const cpu = process.cpuUsage(); const p0 = pgCpu(); const t0 = performance.now();
    await loop(n, c, work);
    const d = process.cpuUsage(cpu);
    best.push({ node: (d.user + d.system) / n, pg: (pgCpu() - p0) / n, ms: (performance.now() - t0) / n });
  }
  if (session) { const { profile } = await session.post('Profiler.stop'); writeFileSync(`/tmp/prof-${name.replaceAll(' ', '-')}.cpuprofile`, JSON.stringify(profile)); }
  const min = (k: 'node' | 'pg' | 'ms') => Math.min(...best.map((b) => b[k]));
  console.log(`${name}: node ${min('node').toFixed(0)} us, pg ${min('pg').toFixed(0)} us, wall ${min('ms').toFixed(2)} ms/op => ${(1000 / min('ms')).toFixed(0)}/s   (all node: ${best.map((b) => b.node.toFixed(0))} pg: ${best.map((b) => b.pg.toFixed(0))})`);
  if (mode === 'sql' && !peer) {
    const { rows } = await su.query(`select calls, plans, total_exec_time*1000 ex, total_plan_time*1000 pl, toplevel, left(regexp_replace(query,'\\s+',' ','g'),150) q from pg_stat_statements where dbid=(select oid from pg_database where datname=current_database()) and query not like '%pg_stat%' order by total_exec_time+total_plan_time desc limit 28`);
    for (const r of rows) console.log(`  ${(r.calls / (3 * n)).toFixed(1)} x ${String(((r.ex) / (3 * n)).toFixed(0)).padStart(5)} + plan ${String((r.pl / (3 * n)).toFixed(0)).padStart(5)} ${r.toplevel ? 'T' : ' '} ${r.q}`);
  }
}
async function withPeer(name: string, orm: any, n: number, c: number, work: (t: number) => Promise<unknown>) {
  await work(0);
  const st = await statementsOf(orm, () => work(0));
  console.log(name, JSON.stringify(st.map((t) => t.map((s) => `${s.command} ${s.table}`))));
  await measure(name, n, c, work);
  const bare = await openBare(cluster.superuserUrl(db), c, st);
  await measure(`${name} BARE`, n, c, (t) => bare.once(t % 50), true);
  await bare.close();
}
try {
  if (which.includes('register')) await withPeer('register', stage.api, N, C, stage.register);
  if (which.includes('use')) {
    const powers: Power[] = [];
    for (let i = 0; i < 4; i++) powers.push(await stage.power());
    if (mode === 'prof') await measure('use50', N, C, (t) => stage.use(powers[t % 8]!)); else await withPeer('use 50', stage.operator, N, C, (t) => stage.use(powers[t % 4]!));
  }
  if (which.includes('approve')) {
    const uid = await stage.draft();
    const st = await statementsOf(stage.api, () => stage.approve(uid));
    console.log('approve', JSON.stringify(st.map((t) => t.map((s) => `${s.command} ${s.table}`))));
    await stage.revoke(uid);
    let ids: string[] = [];
    const n = 15;
    for (let r = 0; r < 3; r++) {
      if (r === 1 && mode === 'sql') await su.query('select pg_stat_statements_reset()');
      let node = 0, pg = 0, ms: number[] = [];
      for (let i = 0; i < n; i++) {
        const u = await stage.draft();
        const cpu = process.cpuUsage(); const p0 = pgCpu(); const t0 = performance.now();
        await stage.approve(u);
        const d = process.cpuUsage(cpu); node += d.user + d.system; pg += pgCpu() - p0; ms.push(performance.now() - t0);
        await stage.revoke(u);
      }
      ms.sort((a, b) => a - b);
      console.log(`approve: node ${(node / n).toFixed(0)} pg ${(pg / n).toFixed(0)} p50 ${ms[n >> 1]!.toFixed(2)} min ${ms[0]!.toFixed(2)}`);
    }
    void ids;
    const bare = await openBare(cluster.superuserUrl(db), 1, st);
    for (let r = 0; r < 2; r++) {
      const ms: number[] = [];
      for (let i = 0; i < n; i++) { const t0 = performance.now(); await bare.once(i); ms.push(performance.now() - t0); }
      ms.sort((a, b) => a - b);
      console.log(`approve BARE p50 ${ms[n >> 1]!.toFixed(2)} min ${ms[0]!.toFixed(2)}`);
    }
    await bare.close();
  }
} finally {
  await stage.close(); await su.end(); await cluster.release();
}
