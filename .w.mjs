import { readFileSync, readdirSync } from 'node:fs'; import { createHash } from 'node:crypto'; import { brotliCompressSync } from 'node:zlib';
import { readSizes, closureOf } from './test/tools/sizes.js';
const d=process.argv[2]??'dist'; const s=readSizes(d);
console.log(closureOf(s,['agent-chat','mount','runtime']).map(x=>x.name+' '+x.kilobytes.toFixed(3)).join(', '), closureOf(s,['agent-chat','mount','runtime']).reduce((a,x)=>a+x.kilobytes,0).toFixed(3));
const files=closureOf(s,['agent-chat','mount','runtime']).map(x=>readFileSync(d+'/'+x.file,'utf8'));
const strip=process.argv[3]==='strip';
let sum=0,N=12;for(let i=0;i<N;i++)for(let c of files){ if(strip)c=c.replace('//# allFunctionsCalledOnLoad\n',''); sum+=brotliCompressSync(c.replace(/([\w-]+)-[\w-]{8}\.js/g,(_,p)=>p+'-'+createHash('sha256').update(i+p).digest('base64url').slice(0,8)+'.js')).length/1000;}
console.log('mean',(sum/N).toFixed(3));
