//! Valid inputs, from which the fuzzers begin.

/// Lines of `mercer learn`: tables, LIBSVM's rows, JSON.
pub const STREAMS: [&str; 9] = [
    "a,b,class\n1,2,red\n3,1,blue\n0.5,2.5,red\n2.5,0,blue\n1,1.5,red\n",
    "1.5,2,red\n3,1,blue\n,,red\n0.5,2.5,\n2.5,0,blue\n",
    "a\tb\ttarget\n1\t2\t0.5\n3\t1\t-1.25\n0.5\t2.5\t7e1\n",
    "\"x,y\";b;class\r\n1;2;\"r \"\"ed\"\r\n3;1;blue\r\n",
    "+1 1:0.5 3:2\n-1 2:1 # note\n+1 1:0.25\n-1 7:-1e-3\n",
    "# comment\n3 1:1\n1 2:0.5\n2 1:0.5 2:0.5\n1 2:1\n",
    "{\"a\": 1, \"b\": 2, \"label\": \"red\"}\n{\"a\": 3, \"b\": 1, \"label\": \"blue\"}\n{\"a\": 1, \"b\": 1}\n",
    "{\"features\": [1, 2.5], \"target\": 0.5}\n{\"features\": [3, 1e2], \"target\": -4}\n",
    "{\"x\": 1, \"y\": true}\n\n{\"x\": 2, \"y\": false}\n{\"x\": 0, \"y\": true, \"z\": null}\n",
];

/// Lines that answer `mercer label`.
pub const ANSWERS: [&str; 4] = [
    "low\nhigh\nlow\nhigh\nq\n",
    "1\n2\nu\n1\ns\n2\n1\n2\n1\n",
    "s\ns\nu\nu\nu\nlow\nu\nhigh\nq\n",
    "perhaps\n 2 \nLOW\n\nlow\r\nhigh\n",
];

/// Pools of `mercer label`, and what it writes about the first of them.
pub const POOLS: [&str; 3] = [
    "name,x\nn1,1\nn2,2\nn3,3\nn4,9\nn5,8\nn3,3\n",
    "1;2\n3;4\n3;4\n5;6\n",
    "color\tsize\nred\t1\n\"blue\t2\nred\t7\n",
];
pub const LABELLED: [&str; 2] =
    ["name,x,label\nn1,1,low\nn4,9,high\nn3,3,low\n", "name,x,label\nn3,3,low\nn3,3,high\n"];

/// Files of ranges of `svm-scale`, and rows that they are for.
pub const RANGES: [&str; 3] = [
    "x\n-1 1\n1 0 10\n2 -5 5\n3 0.5 1e3\n",
    "y\n0 1\n-1 1\nx\n0 1\n2 0.10000000000000001 7\n",
    "x\n-1 1\n\n1 1e-300 1e300\n",
];
pub const SPARSE: [&str; 3] =
    ["1 1:5 2:0.5 3:2\n-1 2:5\n2.5 4:1\n", "1 1:1\n1 1:1\n", "+1 1:-1e300 2:0\n-1 3:1e300\n"];

/// LIBSVM's models, of features and of kernel values.
pub const MODELS: [&str; 6] = [
    "svm_type c_svc\nkernel_type rbf\ngamma 0.5\nnr_class 2\ntotal_sv 2\nrho 0.25\nlabel 1 -1\nnr_sv 1 1\nSV\n0.5 1:1 2:0.5 \n-0.5 1:-1 \n",
    "svm_type nu_svc\nkernel_type polynomial\ndegree 2\ngamma 1\ncoef0 1\nnr_class 3\ntotal_sv 4\nrho 0 0.5 -0.5\nlabel 3 1 2\n\
     probA -1 -1 -1\nprobB 0 0 0\nnr_sv 2 1 1\nSV\n1 0.5 1:1 \n0 0.5 2:1 \n-1 1 1:0.5 3:1 \n-1 -1 3:2 \n",
    "svm_type one_class\nkernel_type linear\nnr_class 2\ntotal_sv 2\nrho 1.5\nSV\n1 1:1 \n0.5 2:2 \n",
    "svm_type epsilon_svr\nkernel_type sigmoid\ngamma 0.1\ncoef0 -1\nnr_class 2\ntotal_sv 1\nrho -2\nSV\n0.75 1:1 3:-1 \n",
    "svm_type c_svc\nkernel_type precomputed\nnr_class 2\ntotal_sv 2\nrho 0\nlabel 1 -1\nnr_sv 1 1\nSV\n1 0:1 \n-1 0:3 \n",
    "svm_type nu_svr\nkernel_type precomputed\nnr_class 2\ntotal_sv 2\nrho 0.5\nSV\n1 0:2 \n-1 0:1 \n",
];
pub const KERNEL_VALUES: &str = "1 0:1 1:1 2:0.5 3:0.25\n-1 0:2 1:0.5 2:1 3:0.5\n1 0:3 1:0 2:0.5 3:1\n";

/// Inputs of one reader.
pub fn of(texts: &[&str]) -> Vec<Vec<u8>> {
    texts.iter().map(|text| text.as_bytes().to_vec()).collect()
}
